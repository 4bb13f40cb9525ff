// Reads boards, periods and standings. What was acknowledged before `asOf` is included, and `asOf` never decreases,
// whichever process answers: it is stored with the boards, and read before the standings.
import { AppError } from "#kernel/app-error.ts";
import { pageOf, type Page } from "#domain/page.ts";
import { AS_OF_AGE_MAX_MS } from "#boards/bounds.ts";
import { makeFindPeriod, type ShownPeriod } from "#boards/find-period.ts";
import type { CatchUpBoards } from "#boards/catch-up.ts";
import type {
  BoardRef,
  BoardStore,
  PeriodStore,
  StandingPlace,
  StandingStore,
  StoredBoard,
  StoredPeriod,
} from "#boards/ports.ts";
import type { PeriodOrders } from "#boards/period-orders.ts";

export type ShownBoard = StoredBoard & { current: ShownPeriod | null };
export type ShownStanding = StandingPlace & { position: number };
/** Where the next page of a board's periods begins: before this one. */
type PeriodPosition = { boardId: string; periodId: string };
/** Where the next page of a period's standings begins: behind this one. */
type StandingPosition = PeriodPosition & { after: StandingPlace };
export type Standings = Page<ShownStanding, StandingPosition> & { period: ShownPeriod; asOf: Date };
/** The part of a period's order: a page, around a member, or those of these members who are on the board. */
export type StandingsPart =
  | { kind: "page"; limit: number; after: StandingPosition | null }
  | { kind: "around"; platformId: string; limit: number }
  | { kind: "named"; platformIds: readonly string[] };

/**
 * Throws AppError `board_not_found`, `period_not_found`, `member_not_found`, `unavailable`, and `invalid_request` if the
 * page begins at a position of another board or period.
 */
export type ReadBoards = {
  list(clanId: string): Promise<ShownBoard[]>;
  /** The newest first, from the next one that is coming. */
  periods(
    board: BoardRef,
    page: { limit: number; before: PeriodPosition | null },
  ): Promise<Page<ShownPeriod, PeriodPosition>>;
  /** `periodId`: also `current` or `previous`. */
  period(board: BoardRef, periodId: string): Promise<ShownPeriod>;
  standings(board: BoardRef, periodId: string, part: StandingsPart): Promise<Standings>;
};
type Counted = { board: StoredBoard; now: Date; found: StoredPeriod | ShownPeriod };
/** `late`: why standings are older than AS_OF_AGE_MAX_MS. */
type Found = { board: StoredBoard; now: Date; late: Error | null };
type Current = { boards: StoredBoard[]; now: Date; late: Error | null };

// oxlint-disable-next-line eslint/max-lines-per-function -- how old the result of each read may be is one rule
export function makeReadBoards(deps: {
  boards: Pick<BoardStore, "read">;
  periods: Pick<PeriodStore, "list" | "read" | "newest" | "next">;
  standings: Pick<StandingStore, "list" | "listAround" | "read">;
  orders: PeriodOrders;
  catchUp: CatchUpBoards;
}): ReadBoards {
  const { boards, periods, standings, orders, catchUp } = deps;
  const { shown, running, upcoming, find } = makeFindPeriod({ periods, orders });

  /**
   * Not older than a moment. `anew`: catches up in any case. `countedOnly`: boards that are counted for the first time do
   * not delay it.
   */
  async function current(clanId: string, { anew = false, countedOnly = false } = {}): Promise<Current> {
    const found = await boards.read(clanId);
    if (!found) return { boards: [], now: new Date(0), late: null };
    const isOld = ({ asOf, createdAt, coveredTo }: StoredBoard): boolean =>
      found.now.getTime() - asOf.getTime() > AS_OF_AGE_MAX_MS ||
      asOf <= createdAt ||
      (coveredTo !== null && coveredTo <= found.now);
    if (!anew && !found.boards.some(isOld)) return { ...found, late: null };
    const late = await catchUp(clanId, { countedOnly }).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error : new AppError("unavailable", LATE)),
    );
    return { ...((await boards.read(clanId)) ?? found), late };
  }

  async function boardOf({ clanId, boardId }: BoardRef, how?: Parameters<typeof current>[1]): Promise<Found> {
    const { boards: all, now, late } = await current(clanId, how);
    const board = all.find((one) => one.boardId === boardId);
    if (!board) throw new AppError("board_not_found", `The clan has no board "${boardId}".`);
    return { board, now, late };
  }

  /** The period, with what was counted. If that is late, it is readable as of an earlier time, if there was one. */
  async function counted(ref: BoardRef, periodId: string, anew = false): Promise<Counted> {
    const { board, now, late } = await boardOf(ref, { anew, countedOnly: !anew });
    const found = await find(board, periodId, now);
    const isCounted = board.asOf > board.createdAt && !("rows" in found && !found.isFinal && found.countedAt === null);
    if (late && !isCounted) throw late;
    // It is to be counted from the ledger.
    if (!isCounted && !anew) return counted(ref, periodId, true);
    return { board, now, found };
  }

  async function part({ rows }: StoredPeriod, asked: StandingsPart) {
    switch (asked.kind) {
      case "page":
        return standings.list(rows, { limit: asked.limit, after: asked.after?.after ?? null });
      case "around":
        return standings.listAround(rows, asked);
      case "named": {
        const found = await standings.read(asked.platformIds.map((platformId) => ({ rows, platformId })));
        const listed = asked.platformIds.flatMap((platformId) => found.get(platformId)?.get(rows) ?? []);
        return { items: listed.filter(({ removed }) => !removed), next: null };
      }
    }
  }

  return {
    async list(clanId) {
      const { boards: all, now } = await current(clanId);
      return Promise.all(
        all.map(async (board) => {
          const period = await running(board, now);
          return { ...board, current: period && (await shown(period, now, board.asOf)) };
        }),
      );
    },

    async periods(ref, { limit, before: position }) {
      const { board, now } = await boardOf(ref);
      requireBoard(ref.boardId, position);
      const before = position?.periodId ?? null;
      const next = before === null ? await upcoming(board, now) : null;
      const stored = await periods.list(board.uid, { limit: limit + 1, before, until: now });
      const all = [...(next ? [next] : []), ...(await Promise.all(stored.map((one) => shown(one, now, board.asOf))))];
      return pageOf(all, limit, (last) => ({ boardId: board.boardId, periodId: last.periodId }));
    },

    async period(ref, periodId) {
      const { board, now, found } = await counted(ref, periodId);
      return "rows" in found ? shown(found, now, board.asOf) : found;
    },

    async standings(ref, periodId, asked) {
      const { board, now, found } = await counted(ref, periodId);
      const { boardId, asOf } = board;
      if (asked.kind === "page") requirePeriod({ boardId, periodId: found.periodId }, asked.after);
      const page = "rows" in found ? await part(found, asked) : asked.kind === "around" ? null : EMPTY;
      if (!page) throw new AppError("member_not_found", "This player is not on the board in this period.");
      if (!("rows" in found)) return { ...EMPTY, period: found, asOf };
      const positions = found.isFinal ? null : (await orders(found.rows, asOf)).positions(page.items);
      const items = page.items.map(({ platformId, xp, reachedAt, position }) => {
        return { platformId, xp, reachedAt, position: position ?? positions?.get(platformId)?.value ?? 1 };
      });
      const next = page.next && { boardId, periodId: found.periodId, after: page.next };
      return { items, next, period: await shown(found, now, asOf), asOf };
    },
  };
}

function requireBoard(boardId: string, position: PeriodPosition | null): void {
  if (position && position.boardId !== boardId)
    throw new AppError("invalid_request", `The cursor is of the board "${position.boardId}".`);
}

function requirePeriod({ boardId, periodId }: PeriodPosition, position: StandingPosition | null): void {
  requireBoard(boardId, position);
  // The words current and previous have come to mean another one.
  if (position && position.periodId !== periodId)
    throw new AppError(
      "invalid_request",
      `The cursor is of the period "${position.periodId}": use its id in the path.`,
    );
}

const LATE = "The clan's boards could not be counted. Try again shortly.";
const EMPTY = { items: [], next: null };
