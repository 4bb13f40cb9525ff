// The members of a period of a board, by the XP that they gained in it.
import type { PeriodResponse } from "#contract/board.ts";
import type { NamedStandings } from "#contract/dashboard/boards.ts";
import { ApiError } from "../../api/api-error.ts";
import { useApi } from "../../api/use-api.ts";
import { usePages } from "../../api/use-pages.ts";
import type { Column } from "../../parts/data-table.tsx";
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

export function Standings({ clanId, shown: { boardId, periodId } }: { clanId: string; shown: ShownPeriod }) {
  const sent = { params: { clanId, boardId, periodId }, query: {} };
  const list = usePages("list-standings", sent, { refetchMs: REFRESH_MS, until: NO_PERIOD });
  const pages = list.data?.pages ?? [];
  const { data } = useApi("list-boards", { params: { clanId } });
  const board = data?.boards.find((one) => one.boardId === boardId)?.name ?? boardId;
  // A board that is new has no previous period, and one of seasons may have no current one.
  if (list.error instanceof ApiError && list.error.code === NO_PERIOD) return <Empty title={list.error.message} />;
  return (
    <>
      {pages[0] ? <PeriodFacts board={board} period={pages[0].period} /> : null}
      <PagedTable
        list={list}
        what="the standings"
        label="Standings"
        columns={columnsFor(clanId)}
        rows={pages.flatMap((page) => page.members)}
        keyOf={({ platformId }) => platformId}
        empty={<Empty title="Nobody has gained XP in this period." />}
        more="Show more"
      />
    </>
  );
}

function PeriodFacts({ board, period }: { board: string; period: PeriodResponse }) {
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
    </p>
  );
}

function columnsFor(clanId: string): Column<Row>[] {
  return [
    { header: "Position", line: 1, isNumber: true, cell: ({ position }) => numberText(position) },
    {
      header: "Player",
      line: 1,
      cell: ({ platformId, name }) => <MemberLink clanId={clanId} platformId={platformId} name={name} />,
    },
    { header: "XP", line: 1, isNumber: true, cell: ({ xp }) => <Xp value={xp} /> },
    { header: "Reached", line: 2, cell: ({ reachedAt }) => <Time at={reachedAt} /> },
  ];
}
