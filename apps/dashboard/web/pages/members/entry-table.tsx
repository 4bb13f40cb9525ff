// A member's ledger entries, newest first.
import { factorOf } from "#domain/boost.ts";
import type { MemberEntry } from "#contract/dashboard/members.ts";
import { Aside } from "../../parts/aside.tsx";
import { CopyId } from "../../parts/copy-id.tsx";
import { DataTable, type Column } from "../../parts/data-table.tsx";
import { FreeText } from "../../parts/free-text.tsx";
import { KeyLink } from "../../parts/key-link.tsx";
import { RowMenu } from "../../parts/row-menu.tsx";
import { Name } from "../../parts/name.tsx";
import { Time } from "../../parts/time.tsx";
import { Xp, XpChange } from "../../parts/xp.tsx";

/** Enough characters to recognize the same id in another row. */
const ID_CHARS = 12;

const facts: Column<MemberEntry>[] = [
  { header: "When", line: 2, cell: (entry) => <Time at={entry.at} /> },
  { header: "Entry", line: null, cell: (entry) => <CopyId id={entry.awardId} what="award ID" chars={ID_CHARS} /> },
  { header: "Change", line: 1, isNumber: true, cell: (entry) => <Change entry={entry} /> },
  { header: "XP after", line: 1, isLabeled: true, isNumber: true, cell: (entry) => <Xp value={entry.xp} /> },
  { header: "Rank", line: null, cell: (entry) => <FreeText>{entry.rank}</FreeText> },
  { header: "Reason", line: 2, grows: true, cell: (entry) => <Reason entry={entry} /> },
];

type Props = {
  clanId: string;
  entries: readonly MemberEntry[];
  mayReverse(entry: MemberEntry): boolean;
  onReverse(entry: MemberEntry): void;
};

export function EntryTable({ clanId, entries, mayReverse, onReverse }: Props) {
  const actions: Column<MemberEntry>[] = entries.some(mayReverse)
    ? [
        {
          header: "Actions",
          isActions: true,
          cell: (entry) => (mayReverse(entry) ? <EntryMenu entry={entry} onReverse={onReverse} /> : null),
        },
      ]
    : [];
  const by: Column<MemberEntry> = { header: "By", line: 2, cell: (entry) => <By clanId={clanId} entry={entry} /> };
  return (
    <DataTable label="Ledger" columns={[...facts, by, ...actions]} rows={entries} keyOf={(entry) => entry.awardId} />
  );
}

/** The person, or the key. */
function By({ clanId, entry: { actor, keyId, keyName } }: { clanId: string; entry: MemberEntry }) {
  if (actor !== undefined) return <Name>{actor}</Name>;
  if (keyName === undefined) return keyId === "cli" ? "command line" : keyId;
  if (keyName === null) {
    return (
      <span title={keyId} className="text-muted">
        Deleted key
      </span>
    );
  }
  return (
    <KeyLink clanId={clanId} keyId={keyId}>
      <Name>{keyName}</Name>
    </KeyLink>
  );
}

/** Only awards can be reversed, and each of them once. */
function EntryMenu({ entry, onReverse }: { entry: MemberEntry; onReverse(entry: MemberEntry): void }) {
  if (entry.kind !== undefined || entry.reversedBy !== undefined) return null;
  return <RowMenu label="Actions" actions={[{ label: "Reverse", onChoose: () => onReverse(entry) }]} />;
}

/** Also shows the boost, and what the award would have been without the clan's floor, cap or limit per day. */
function Change({ entry: { amount, applied, boost, limitedBy, kind } }: { entry: MemberEntry }) {
  if (kind === "membership" || kind === "appointment") return <span className="text-muted">{kind}</span>;
  const asked = boost?.amount ?? amount;
  return (
    <>
      <XpChange value={applied} />
      {asked === applied ? null : (
        <span className="text-sm text-muted" title={limitedBy === null ? undefined : limitTexts[limitedBy]}>
          {" "}
          of <XpChange value={asked} />
        </span>
      )}
      {boost === undefined ? null : (
        <Aside>
          <XpChange value={amount} /> ×{factorOf(boost.percent)} <Name>{boost.name}</Name>
        </Aside>
      )}
    </>
  );
}

const limitTexts = {
  floor: "The clan's minimum XP allowed no more.",
  cap: "The clan's maximum XP allowed no more.",
  day: "The clan's XP per day allowed no more.",
} as const;

function Reason({ entry }: { entry: MemberEntry }) {
  const { resetId, reverses, reversedBy } = entry;
  return (
    <>
      <FreeText>{reasonOf(entry)}</FreeText>
      {resetId === undefined ? null : (
        <Aside>
          reset <CopyId id={resetId} what="reset ID" chars={ID_CHARS} />
        </Aside>
      )}
      {reverses === undefined ? null : (
        <Aside>
          reverses <CopyId id={reverses} what="award ID" chars={ID_CHARS} />
        </Aside>
      )}
      {reversedBy === undefined ? null : (
        <Aside>
          reversed by <CopyId id={reversedBy} what="award ID" chars={ID_CHARS} />
        </Aside>
      )}
    </>
  );
}

function reasonOf({ reason, source, batchId }: MemberEntry): string {
  const parts = [
    reason,
    source?.matchId && `match ${source.matchId}`,
    source?.placeId && `place ${source.placeId}`,
    batchId && `batch ${batchId}`,
  ];
  return parts.filter(Boolean).join(" · ");
}
