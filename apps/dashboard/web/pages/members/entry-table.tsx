// A member's ledger entries, newest first, each with its ids and its source on demand.
import type { MemberEntry } from "#contract/dashboard/members.ts";
import { Aside } from "../../parts/aside.tsx";
import { ChangedBy } from "../../parts/changed-by.tsx";
import { CopyId } from "../../parts/copy-id.tsx";
import { DataTable, type Column } from "../../parts/data-table.tsx";
import { Detail, Details } from "../../parts/details.tsx";
import { EntryChange } from "../../parts/entry-change.tsx";
import { FreeText } from "../../parts/free-text.tsx";
import { BatchLink } from "../../parts/links.tsx";
import { Time } from "../../parts/time.tsx";
import { useReverseAction } from "../../parts/use-reverse-action.tsx";
import { Xp } from "../../parts/xp.tsx";

const facts: Column<MemberEntry>[] = [
  { header: "When", line: 2, cell: (entry) => <Time at={entry.at} /> },
  { header: "Change", line: 1, isNumber: true, cell: (entry) => <EntryChange entry={entry} /> },
  { header: "Balance", line: 1, isLabeled: true, isNumber: true, cell: (entry) => <Xp value={entry.xp} /> },
  { header: "Rank", line: null, cell: (entry) => <FreeText>{entry.rank}</FreeText> },
  { header: "Reason", line: 2, grows: true, cell: (entry) => <Reason entry={entry} /> },
];

type Props = {
  clanId: string;
  entries: readonly MemberEntry[];
  onReverse(entry: MemberEntry): void;
};

export function EntryTable({ clanId, entries, onReverse }: Props) {
  const actionsOf = useReverseAction(entries, onReverse);
  const by: Column<MemberEntry> = {
    header: "By",
    line: null,
    cell: (entry) => <ChangedBy clanId={clanId} entry={entry} />,
  };
  return (
    <DataTable
      label="Ledger"
      columns={[...facts, by]}
      rows={entries}
      keyOf={(entry) => entry.awardId}
      actionsOf={actionsOf}
      detailsOf={(entry) => <EntryDetails clanId={clanId} entry={entry} />}
    />
  );
}

function Reason({ entry: { reason, resetId, reverses, reversedBy } }: { entry: MemberEntry }) {
  return (
    <>
      <FreeText>{reason}</FreeText>
      {resetId === undefined || reverses !== undefined ? null : <Aside>reset</Aside>}
      {reverses === undefined ? null : <Aside>reverses an award</Aside>}
      {reversedBy === undefined ? null : <Aside>reversed</Aside>}
    </>
  );
}

type DetailsProps = { clanId: string; entry: MemberEntry };

function EntryDetails({ clanId, entry }: DetailsProps) {
  const { at, awardId, reason, source, batchId, resetId, reverses, reversedBy } = entry;
  const idOf = (id: string | undefined, what: string) => (id === undefined ? null : <CopyId id={id} what={what} />);
  return (
    <Details>
      <Detail name="Time">
        <Time at={at} isExact />
      </Detail>
      <Detail name="Reason">{reason}</Detail>
      <Detail name="By">
        <ChangedBy clanId={clanId} entry={entry} />
      </Detail>
      <Detail name="Match">{source?.matchId}</Detail>
      <Detail name="Place">{source?.placeId}</Detail>
      <Detail name="Batch">{batchId ? <BatchLink clanId={clanId} batchId={batchId} /> : null}</Detail>
      <Detail name="Award">{idOf(awardId, "award ID")}</Detail>
      <Detail name="Reverses">{idOf(reverses, "award ID")}</Detail>
      <Detail name="Reversed by">{idOf(reversedBy, "award ID")}</Detail>
      <Detail name="Reset">{idOf(resetId, "reset ID")}</Detail>
    </Details>
  );
}
