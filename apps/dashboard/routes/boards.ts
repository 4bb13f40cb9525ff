// The clan's boards, by the same use cases as the command line.
import type { AddBoardRequest, boardEndpoints, BoardRhythm } from "#contract/dashboard/boards.ts";
import {
  PeriodCursor,
  periodCursor,
  SearchCursor,
  searchCursor,
  StandingCursor,
  standingCursor,
} from "#contract/page.ts";
import { boardResponse, periodResponse, standingResponse } from "#contract/render.ts";
import { BOARDS_PER_CLAN_MAX } from "#domain/board.ts";
import { PAGE_SIZE_MAX } from "#domain/bounds.ts";
import { filled } from "#domain/page.ts";
import { boundariesAround } from "#domain/period.ts";
import { csvOf } from "#export/csv-text.ts";
import { standingRows } from "#export/standing-rows.ts";
import type { BoardRef, BoardStore } from "#boards/ports.ts";
import type { ReadBoards, Standings } from "#boards/read-boards.ts";
import type { AddSeason, BoardRequest, SetBoard } from "#boards/set-board.ts";
import { FILTERED_READS_MAX } from "#members/bounds.ts";
import type { SearchMembers } from "#members/search-members.ts";
import type { NameStore } from "#names/ports.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import { positionIn } from "../http/position-in.ts";
import type { Routes } from "../http/route.ts";

const HOUR_MS = 3_600_000;
const ROWS_PER_PAGE = 50;
/** Boundaries that a person compares before saving. */
const PREVIEWED = 3;

type BoardRoutes = Routes<typeof boardEndpoints>;
type ReadDeps = { boards: ReadBoards; searchMembers: SearchMembers; names: Pick<NameStore, "read"> };
type ChangeDeps = {
  boards: Pick<ReadBoards, "list">;
  store: Pick<BoardStore, "read" | "remove">;
  setBoard: SetBoard;
  addSeason: AddSeason;
};

export function makeBoardRoutes(deps: ReadDeps & ChangeDeps): BoardRoutes {
  return { ...readRoutes(deps), ...changeRoutes(deps) };
}

type ReadName = "list-boards" | "list-periods" | "list-standings" | "export-standings";

type PeriodRef = BoardRef & { periodId: string };
type Listed = Pick<Standings, "period" | "asOf" | "items"> & { nextCursor: string | null };

function readRoutes({ boards, searchMembers, names }: ReadDeps): Pick<BoardRoutes, ReadName> {
  async function pageOf(ref: PeriodRef, cursor: string | undefined): Promise<Listed> {
    const part = { kind: "page", limit: ROWS_PER_PAGE, after: positionIn(StandingCursor, cursor) } as const;
    const { next, ...listed } = await boards.standings(ref, ref.periodId, part);
    return { ...listed, nextCursor: next && standingCursor(next) };
  }

  /** Members in the order in which the search finds them. */
  async function found(ref: PeriodRef, text: string, cursor: string | undefined): Promise<Listed> {
    const named = (platformIds: readonly string[]) =>
      boards.standings(ref, ref.periodId, { kind: "named", platformIds });
    const { period, asOf } = await named([]);
    const part = { limit: ROWS_PER_PAGE, after: positionIn(SearchCursor, cursor) };
    const { items, next } = await filled(part, FILTERED_READS_MAX, async (searched) => {
      const members = await searchMembers(ref.clanId, { text, ...searched });
      const standings = await named(members.items.map(({ platformId }) => platformId));
      return { items: standings.items, next: members.next };
    });
    return { period, asOf, items, nextCursor: next && searchCursor(next) };
  }

  return {
    async "list-boards"({ params: { clanId } }) {
      return { boards: (await boards.list(clanId)).map(boardResponse), max: BOARDS_PER_CLAN_MAX };
    },

    async "list-periods"({ params, query: { cursor } }) {
      const page = { limit: PAGE_SIZE_MAX, before: positionIn(PeriodCursor, cursor) };
      const { items, next } = await boards.periods(params, page);
      return { periods: items.map(periodResponse), nextCursor: next && periodCursor(next) };
    },

    async "list-standings"({ params, query: { cursor, search } }) {
      const listed = await (search === undefined ? pageOf(params, cursor) : found(params, search, cursor));
      const { period, asOf, items, nextCursor } = listed;
      const known = await names.read(
        params.clanId,
        items.map(({ platformId }) => platformId),
      );
      return {
        period: periodResponse(period),
        asOf: asOf.toISOString(),
        members: items.map((one) => ({ ...standingResponse(one), name: known.get(one.platformId) ?? null })),
        nextCursor,
      };
    },

    async "export-standings"({ params }) {
      const { periodId } = await boards.period(params, params.periodId);
      const rows = standingRows({ boards, names }, params, periodId);
      return { fileName: `${params.clanId}-${params.boardId}-${periodId}.csv`, text: csvOf("standings", rows) };
    },
  };
}

function changeRoutes({ boards, store, setBoard, addSeason }: ChangeDeps): Omit<BoardRoutes, ReadName> {
  /** The board as it is shown, after a change. */
  async function changed(ref: BoardRef, done: Awaited<ReturnType<SetBoard>>) {
    if ("rejected" in done) throw rejectionOf(done.rejected);
    return shownBoard(ref);
  }

  async function shownBoard({ clanId, boardId }: BoardRef) {
    const board = (await boards.list(clanId)).find((one) => one.boardId === boardId);
    if (!board) throw noBoard();
    return boardResponse(board);
  }

  return {
    async "add-board"({ params: { clanId }, body: { boardId, name, settleHours, periods }, by }) {
      const ref = { clanId, boardId };
      const found = await store.read(clanId);
      if (found?.boards.some((one) => one.boardId === boardId))
        throw new DashboardError(
          "conflict",
          `The clan has a board "${boardId}". Nothing was added: choose another id.`,
        );
      return changed(ref, await setBoard(ref, { name, settleMs: settleHours * HOUR_MS, ...periodsOf(periods) }, by));
    },

    async "preview-board"({ params: { clanId }, body: { rhythm, boardId } }) {
      const found = await store.read(clanId);
      if (!found) throw noBoard();
      const board = found.boards.find((one) => one.boardId === boardId);
      // A changed schedule begins when the running period ends.
      const first = board?.coveredTo ?? boundariesAround(rhythm, found.now).next;
      const boundaries = [first];
      while (boundaries.length < PREVIEWED) boundaries.push(boundariesAround(rhythm, boundaries.at(-1) ?? first).next);
      return { boundaries: boundaries.map((boundary) => boundary.toISOString()) };
    },

    async "change-board"({ params, body: { name, settleHours, rhythm }, by }) {
      await shownBoard(params);
      const request = { name, settleMs: settleHours * HOUR_MS, ...(rhythm ? { rhythm: changedRhythm(rhythm) } : {}) };
      return changed(params, await setBoard(params, request, by));
    },

    async "add-season"({ params, body: { startsAt, endsAt }, by }) {
      return changed(params, await addSeason(params, { startsAt: new Date(startsAt), endsAt: new Date(endsAt) }, by));
    },

    async "remove-board"({ params, by }) {
      if (!(await store.remove(params, by))) throw noBoard();
      return { done: true };
    },
  };
}

function periodsOf(periods: AddBoardRequest["periods"]): BoardRequest {
  if (periods.kind === "season")
    return { season: { startsAt: new Date(periods.season.startsAt), endsAt: new Date(periods.season.endsAt) } };
  const from = periods.from === null ? {} : { from: new Date(periods.from) };
  return { rhythm: changedRhythm(periods.rhythm), ...from };
}

function changedRhythm(rhythm: BoardRhythm): NonNullable<BoardRequest["rhythm"]> {
  const { on, ...rest } = rhythm;
  return { ...rest, ...(on === null ? {} : { on }) };
}

type Rejection = Extract<Awaited<ReturnType<SetBoard>>, { rejected: unknown }>["rejected"];

function rejectionOf(rejection: Rejection): DashboardError {
  switch (rejection.kind) {
    case "no_clan":
    case "no_board":
      return noBoard();
    case "invalid":
      return new DashboardError("invalid_request", `${rejection.faults.join(" ")} Nothing was changed.`);
    case "too_many_boards":
    case "season_overlaps":
      return new DashboardError("conflict", rejection.detail);
  }
}

function noBoard(): DashboardError {
  return new DashboardError("not_found", "This clan has no such board. Nothing was changed.");
}
