// A member's ledger entries, newest first.
import type { MemberEntry } from "#contract/dashboard/members.ts";
import { DataTable, type Column } from "../../parts/data-table.tsx";
import { Time } from "../../parts/time.tsx";
import { Xp, XpChange } from "../../parts/xp.tsx";

const columns: Column<MemberEntry>[] = [
  { header: "When", cell: (entry) => <Time at={entry.at} /> },
  { header: "Change", isNumber: true, cell: (entry) => <Change entry={entry} /> },
  { header: "XP after", isNumber: true, cell: (entry) => <Xp value={entry.xp} /> },
  { header: "Rank", cell: (entry) => entry.rank },
  { header: "Reason", cell: (entry) => <span className="break-words">{reasonOf(entry)}</span> },
  { header: "By", cell: (entry) => <span className="break-all">{entry.actor ?? entry.keyId}</span> },
];

export function EntryTable({ entries }: { entries: readonly MemberEntry[] }) {
  return <DataTable label="Ledger" columns={columns} rows={entries} keyOf={(entry) => entry.awardId} />;
}

/** What was asked for is named where the clan's floor or cap left less of it. */
function Change({ entry: { amount, applied, kind } }: { entry: MemberEntry }) {
  if (kind === "membership" || kind === "appointment") return <span className="text-muted">{kind}</span>;
  if (amount === applied) return <XpChange value={applied} />;
  return (
    <>
      <XpChange value={applied} />{" "}
      <span className="text-sm text-muted">
        of <XpChange value={amount} />
      </span>
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
