// The members of a period of a board, by the XP that they gained in it; with `search`, those that it finds.
import type { PeriodResponse } from "#contract/board.ts";
import type { NamedStandings } from "#contract/dashboard/boards.ts";
import { ApiError } from "../../api/api-error.ts";
import { useApi } from "../../api/use-api.ts";
import { usePages } from "../../api/use-pages.ts";
import type { Column } from "../../parts/data-table.tsx";
import { FreeText } from "../../parts/free-text.tsx";
import { MemberLink } from "../../parts/member-name.tsx";
import { numberText } from "../../parts/numbers.ts";
import { PagedTable } from "../../parts/paged-table.tsx";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { Xp } from "../../parts/xp.tsx";
import type { ShownPeriod } from "./period-select.tsx";

const REFRESH_MS = 5_000;
const NO_PERIOD = "period_not_found";

type Row = NamedStandings["members"][number];

type Props = { clanId: string; shown: ShownPeriod; search?: string };

export function Standings({ clanId, shown: { boardId, periodId }, search = "" }: Props) {
  const sent = { params: { clanId, boardId, periodId }, query: search === "" ? {} : { search } };
  const list = usePages("list-standings", sent, { refetchMs: REFRESH_MS, until: NO_PERIOD });
  const pages = list.data?.pages ?? [];
  const { data } = useApi("list-boards", { params: { clanId } });
  const board = data?.boards.find((one) => one.boardId === boardId)?.name ?? boardId;
  // A board that is new has no previous period, and one of seasons may have no current one.
  if (list.error instanceof ApiError && list.error.code === NO_PERIOD) return <Empty title={list.error.message} />;
  return (
    <>
      {pages[0] ? (
        <PeriodFacts board={board} period={pages[0].period} winners={search === "" ? winnersIn(pages[0]) : []} />
      ) : null}
      <PagedTable
        list={list}
        what="the standings"
        label="Standings"
        columns={columnsFor(clanId)}
        rows={pages.flatMap((page) => page.members)}
        keyOf={({ platformId }) => platformId}
        empty={
          search === "" ? (
            <Empty title="Nobody has gained XP in this period." />
          ) : (
            <Empty title="No members found.">
              Nobody whose player ID begins with {search}, or whose name has these words, is on the board.
            </Empty>
          )
        }
        more="Show more"
      />
    </>
  );
}

/** Equal XP, equal position. */
function winnersIn({ members }: NamedStandings): string[] {
  return members.filter(({ position }) => position === 1).map(({ platformId, name }) => name ?? platformId);
}

const listed = new Intl.ListFormat("en");

type FactsProps = { board: string; period: PeriodResponse; winners: readonly string[] };

function PeriodFacts({ board, period, winners }: FactsProps) {
  const { startsAt, endsAt, finalAt, status } = period;
  return (
    <p className="mb-4 text-muted">
      {board} from <Time at={startsAt} isExact /> to <Time at={endsAt} isExact />.{" "}
      {status === "settling" ? (
        <>
          Reversals change it until <Time at={finalAt} isExact />.
        </>
      ) : null}
      {status === "final" ? "Final: it does not change." : null}
      {(status === "final" || status === "settling") && winners.length > 0 ? (
        <>
          {" "}
          {status === "final" ? "Won by" : "In front:"} <FreeText>{listed.format(winners)}</FreeText>.
        </>
      ) : null}
    </p>
  );
}

function columnsFor(clanId: string): Column<Row>[] {
  return [
    { header: "Position", line: 2, isLabeled: true, isNumber: true, cell: ({ position }) => numberText(position) },
    {
      header: "Player",
      line: 1,
      cell: ({ platformId, name }) => <MemberLink clanId={clanId} platformId={platformId} name={name} />,
    },
    { header: "XP", line: 1, isNumber: true, cell: ({ xp }) => <Xp value={xp} /> },
    { header: "Reached", line: 2, cell: ({ reachedAt }) => <Time at={reachedAt} /> },
  ];
}
