// The awards of the clan as a list, newest first.
import type { ListedAward } from "#contract/dashboard/awards.ts";
import type { usePages } from "../../api/use-pages.ts";
import { Aside } from "../../parts/aside.tsx";
import { ChangedBy } from "../../parts/changed-by.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { EntryChange } from "../../parts/entry-change.tsx";
import { FreeText } from "../../parts/free-text.tsx";
import { MemberLink } from "../../parts/member-name.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { useReverseAction } from "../../parts/use-reverse-action.tsx";

type Props = {
  clanId: string;
  list: ReturnType<typeof usePages<"list-awards">>;
  isFiltered: boolean;
  onReverse(award: ListedAward): void;
  onMatch(matchId: string): void;
};

export function AwardTable({ clanId, list, isFiltered, onReverse, onMatch }: Props) {
  const pages = list.data?.pages ?? [];
  const rows = pages.flatMap(({ awards }) => awards);
  const actionsOf = useReverseAction(rows, onReverse);
  return (
    <PagedTable
      list={list}
      what="the awards"
      label="Awards"
      columns={columnsFor({ clanId, onMatch })}
      rows={rows}
      keyOf={({ platformId, awardId }) => `${platformId}/${awardId}`}
      actionsOf={actionsOf}
      lookedBackTo={isFiltered ? pages.at(-1)?.since : null}
      empty={<NoAwards isFiltered={isFiltered} />}
      more="Show older awards"
    />
  );
}

function NoAwards({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No awards found.">No award of the clan matches these filters.</Empty>;
  return <Empty title="No awards yet.">The first one appears here by itself.</Empty>;
}

function columnsFor({ clanId, onMatch }: Pick<Props, "clanId" | "onMatch">): Column<ListedAward>[] {
  return [
    { header: "Time", line: 2, cell: ({ at }) => <Time at={at} /> },
    {
      header: "Player",
      line: 1,
      cell: ({ platformId, name }) => <MemberLink clanId={clanId} platformId={platformId} name={name} />,
    },
    { header: "XP", line: 1, isNumber: true, cell: (award) => <EntryChange entry={award} /> },
    { header: "By", line: 2, cell: (award) => <ChangedBy clanId={clanId} entry={award} /> },
    { header: "Reason", line: 2, grows: true, cell: (award) => <Reason award={award} /> },
    { header: "Match", line: null, cell: ({ source }) => <Match id={source?.matchId} onChoose={onMatch} /> },
  ];
}

function Reason({ award: { reason, reversedBy } }: { award: ListedAward }) {
  return (
    <>
      <FreeText>{reason}</FreeText>
      {reversedBy === undefined ? null : <Aside>reversed</Aside>}
    </>
  );
}

function Match({ id, onChoose }: { id: string | undefined; onChoose(id: string): void }) {
  if (id === undefined) return null;
  return (
    <button
      type="button"
      title="Show the awards of this match"
      onClick={() => onChoose(id)}
      className="text-left wrap-anywhere text-accent-ink underline-offset-4 hover:underline"
    >
      {id}
    </button>
  );
}
