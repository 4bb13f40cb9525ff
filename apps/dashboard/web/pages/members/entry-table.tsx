// A member's ledger entries, newest first.
import type { MemberEntry } from "#contract/dashboard/members.ts";
import { Aside } from "../../parts/aside.tsx";
import { ChangedBy } from "../../parts/changed-by.tsx";
import { CopyId } from "../../parts/copy-id.tsx";
import { DataTable, type Column } from "../../parts/data-table.tsx";
import { EntryChange } from "../../parts/entry-change.tsx";
import { FreeText } from "../../parts/free-text.tsx";
import { Time } from "../../parts/time.tsx";
import { useReverseColumn } from "../../parts/use-reverse-column.tsx";
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
  onReverse(entry: MemberEntry): void;
};

export function EntryTable({ clanId, entries, onReverse }: Props) {
  const actions = useReverseColumn(entries, onReverse);
  const by: Column<MemberEntry> = {
    header: "By",
    line: 2,
    cell: (entry) => <ChangedBy clanId={clanId} entry={entry} />,
  };
  return (
    <DataTable label="Ledger" columns={[...facts, by, ...actions]} rows={entries} keyOf={(entry) => entry.awardId} />
  );
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
