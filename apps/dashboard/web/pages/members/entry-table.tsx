// A member's ledger entries, newest first.
import type { MemberEntry } from "#contract/dashboard/members.ts";
import { Aside } from "../../parts/aside.tsx";
import { ChangedBy } from "../../parts/changed-by.tsx";
import { CopyId } from "../../parts/copy-id.tsx";
import { DataTable, type Column } from "../../parts/data-table.tsx";
import { EntryChange } from "../../parts/entry-change.tsx";
import { FreeText } from "../../parts/free-text.tsx";
import { RowMenu } from "../../parts/row-menu.tsx";
import { Time } from "../../parts/time.tsx";
import { Xp } from "../../parts/xp.tsx";

/** Enough characters to recognize the same id in another row. */
const ID_CHARS = 12;

const facts: Column<MemberEntry>[] = [
  { header: "When", line: 2, cell: (entry) => <Time at={entry.at} /> },
  { header: "Entry", line: null, cell: (entry) => <CopyId id={entry.awardId} what="award ID" chars={ID_CHARS} /> },
  { header: "Change", line: 1, isNumber: true, cell: (entry) => <EntryChange entry={entry} /> },
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
  const by: Column<MemberEntry> = {
    header: "By",
    line: 2,
    cell: (entry) => <ChangedBy clanId={clanId} entry={entry} />,
  };
  return (
    <DataTable label="Ledger" columns={[...facts, by, ...actions]} rows={entries} keyOf={(entry) => entry.awardId} />
  );
}

/** Only awards can be reversed, and each of them once. */
function EntryMenu({ entry, onReverse }: { entry: MemberEntry; onReverse(entry: MemberEntry): void }) {
  if (entry.kind !== undefined || entry.reversedBy !== undefined) return null;
  return <RowMenu label="Actions" actions={[{ label: "Reverse", onChoose: () => onReverse(entry) }]} />;
}

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
