// The newest awards of the clan, reversals included.
import type { Overview } from "#contract/dashboard/overview.ts";
import { Aside } from "../../parts/aside.tsx";
import { DataTable, type Column } from "../../parts/data-table.tsx";
import { FreeText } from "../../parts/free-text.tsx";
import { MemberLink } from "../../parts/member-name.tsx";
import { Time } from "../../parts/time.tsx";
import { Xp, XpChange } from "../../parts/xp.tsx";

type NewestAward = Overview["newest"][number];

export function NewestAwards({ clanId, newest }: { clanId: string; newest: readonly NewestAward[] }) {
  if (newest.length === 0) return null;
  return (
    <section>
      <h2 className="mb-3 text-lg font-semibold">Newest awards</h2>
      <DataTable
        label="Newest awards"
        columns={columnsFor(clanId)}
        rows={newest}
        keyOf={(entry) => `${entry.platformId}/${entry.awardId}`}
      />
    </section>
  );
}

function columnsFor(clanId: string): Column<NewestAward>[] {
  return [
    { header: "When", line: 2, cell: (entry) => <Time at={entry.at} /> },
    {
      header: "Member",
      line: 1,
      cell: ({ platformId, name }) => <MemberLink clanId={clanId} platformId={platformId} name={name} />,
    },
    { header: "Change", line: 1, isNumber: true, cell: (entry) => <XpChange value={entry.applied} /> },
    { header: "XP after", line: null, isNumber: true, cell: (entry) => <Xp value={entry.xp} /> },
    { header: "Rank", line: null, cell: (entry) => <FreeText>{entry.rank}</FreeText> },
    { header: "Reason", line: 2, grows: true, cell: (entry) => <Reason entry={entry} /> },
  ];
}

function Reason({ entry: { reason, reverses } }: { entry: NewestAward }) {
  return (
    <FreeText>
      {reason}
      {reverses === undefined ? null : <Aside>reverses an award</Aside>}
    </FreeText>
  );
}
