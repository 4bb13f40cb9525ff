// Makes and changes boards, and adds seasons. A changed schedule begins when the running period ends.
import type { Actor } from "#domain/audit.ts";
import {
  BOARD_DAYS_BACK_MAX,
  BOARDS_PER_CLAN_MAX,
  SEASONS_PER_BOARD_MAX,
  SETTLE_MS_DEFAULT,
  type Board,
  type Rhythm,
} from "#domain/board.ts";
import { finalAtOf, periodsOf } from "#domain/period.ts";
import type { ReadOpenPeriods } from "#boards/open-periods.ts";
import type { BoardChange, BoardRef, BoardStore, StoredBoard } from "#boards/ports.ts";

type Season = { startsAt: Date; endsAt: Date };

/**
 * What is not named keeps its value, or gets the default. `season`: the first one of a new board of seasons. `from`: only
 * for a new board, whose first period contains it.
 */
export type BoardRequest = {
  name?: string;
  settleMs?: number;
  rhythm?: Partial<Pick<Rhythm, "at" | "timeZone" | "on">> & { every?: Rhythm["every"] };
  season?: Season;
  from?: Date;
};
export type BoardRejection =
  | { kind: "no_clan" }
  | { kind: "no_board" }
  | { kind: "invalid"; faults: readonly string[] }
  | { kind: "too_many_boards"; detail: string }
  | { kind: "season_overlaps"; detail: string };

export type SetBoard = (
  ref: BoardRef,
  request: BoardRequest,
  by: Actor,
) => Promise<StoredBoard | { rejected: BoardRejection }>;
export type AddSeason = (
  ref: BoardRef,
  season: Season,
  by: Actor,
) => Promise<StoredBoard | { rejected: BoardRejection }>;

type Deps = { boards: Pick<BoardStore, "change">; readOpenPeriods: ReadOpenPeriods };
type Found = { boards: readonly StoredBoard[]; now: Date; board: StoredBoard | null; seasons: readonly Season[] };
type Decided = BoardChange | { rejected: BoardRejection };

const DAY_MS = 24 * 60 * 60_000;

export function makeSetBoard(deps: Deps): SetBoard {
  return (ref, request, by) =>
    change(deps, ref, by, (found) => (found.board ? changed(found.board, request) : made(ref, request, found)));
}

export function makeAddSeason(deps: Deps): AddSeason {
  return (ref, season, by) =>
    change(deps, ref, by, ({ board, now, seasons }) => {
      if (!board) return rejected({ kind: "no_board" });
      if (board.schedule.every !== "season")
        return invalid(`The board "${board.boardId}" has a period every ${board.schedule.every}, and no seasons.`);
      const faults = seasonFaults(season, now);
      if (faults.length > 0) return rejected({ kind: "invalid", faults });
      if (seasons.length >= SEASONS_PER_BOARD_MAX)
        return invalid(`A board has at most ${SEASONS_PER_BOARD_MAX} seasons. Remove the board, or make another one.`);
      const other = seasons.find(({ startsAt, endsAt }) => season.startsAt < endsAt && startsAt < season.endsAt);
      if (other) {
        const span = `${other.startsAt.toISOString()} to ${other.endsAt.toISOString()}`;
        return rejected({ kind: "season_overlaps", detail: `Seasons do not overlap, and there is one from ${span}.` });
      }
      return { action: "board.season", board, spans: [spanOf(season, board.settleMs)], coveredTo: null };
    });
}

async function change(
  { boards, readOpenPeriods }: Deps,
  ref: BoardRef,
  by: Actor,
  decide: (found: Found) => Decided,
): Promise<StoredBoard | { rejected: BoardRejection }> {
  // The running period is stored before its schedule changes.
  await readOpenPeriods(ref.clanId);
  const result = await boards.change<BoardRejection>(ref, decide, by);
  return result ?? rejected({ kind: "no_clan" });
}

function made({ clanId, boardId }: BoardRef, request: BoardRequest, { boards, now }: Found): Decided {
  if (boards.length >= BOARDS_PER_CLAN_MAX)
    return rejected({
      kind: "too_many_boards",
      detail: `A clan has at most ${BOARDS_PER_CLAN_MAX} boards. Nothing was added: remove one first.`,
    });
  const { name = boardId, settleMs = SETTLE_MS_DEFAULT, season, rhythm } = request;
  if (season) {
    const faults = seasonFaults(season, now);
    if (faults.length > 0) return rejected({ kind: "invalid", faults });
    const board: Board = { clanId, boardId, name, settleMs, schedule: { every: "season" } };
    return { action: "board.set", board, spans: [spanOf(season, settleMs)], coveredTo: null };
  }
  if (!rhythm?.every) return invalid(`The board "${boardId}" is new: say --every day, week or month, or --season.`);
  const schedule = rhythmOf({ ...rhythm, every: rhythm.every });
  if (typeof schedule === "string") return invalid(schedule);
  const from = request.from ?? now;
  if (from > now) return invalid("--from is in the future: the first period contains it, and begins before now.");
  if (now.getTime() - from.getTime() > BOARD_DAYS_BACK_MAX * DAY_MS) return invalid(TOO_EARLY);
  const spans = periodsOf(schedule, settleMs, from, now);
  const board: Board = { clanId, boardId, name, settleMs, schedule };
  return { action: "board.set", board, spans, coveredTo: spans.at(-1)?.endsAt ?? now };
}

function changed(board: StoredBoard, { name, settleMs, rhythm, season, from }: BoardRequest): Decided {
  const before = board.schedule;
  if (from)
    return invalid("--from is for a new board. To count from another time, remove the board and make it again.");
  if (season) return invalid(`The board "${board.boardId}" exists: add a season with clanxp board season.`);
  if (rhythm && before.every === "season")
    return invalid(`The board "${board.boardId}" has seasons: make another board for periods that follow each other.`);
  const schedule = rhythm && before.every !== "season" ? rhythmOf(merged(before, rhythm)) : before;
  if (typeof schedule === "string") return invalid(schedule);
  const next = { ...board, schedule, name: name ?? board.name, settleMs: settleMs ?? board.settleMs };
  return { action: "board.set", board: next, spans: [], coveredTo: board.coveredTo };
}

/** The day of another rhythm is not kept. */
function merged(before: Rhythm, { every = before.every, ...rest }: NonNullable<BoardRequest["rhythm"]>) {
  const { at, timeZone, on } = before;
  return { at, timeZone, ...(every === before.every ? { on } : {}), ...rest, every };
}

/** What is wrong, in a sentence, if `on` does not fit. */
function rhythmOf({
  every,
  on,
  at = "00:00",
  timeZone = "UTC",
}: NonNullable<BoardRequest["rhythm"]> & { every: Rhythm["every"] }): Rhythm | string {
  switch (every) {
    case "day":
      return on === undefined || on === null
        ? { every, on: null, at, timeZone }
        : "--on is for weeks and months alone.";
    case "week":
      if (typeof on === "number") return `--on is a day of the week with --every week, as monday, not ${on}.`;
      return { every, on: on ?? "monday", at, timeZone };
    case "month":
      if (typeof on === "string") return `--on is a day of the month with --every month, 1 to 28, not ${on}.`;
      return { every, on: on ?? 1, at, timeZone };
  }
}

const TOO_EARLY = `A board begins at most ${BOARD_DAYS_BACK_MAX} days before now.`;

function seasonFaults({ startsAt, endsAt }: Season, now: Date): string[] {
  return [
    ...(endsAt <= startsAt ? ["A season must end after it begins."] : []),
    ...(now.getTime() - startsAt.getTime() > BOARD_DAYS_BACK_MAX * DAY_MS ? [TOO_EARLY] : []),
  ];
}

function spanOf({ startsAt, endsAt }: Season, settleMs: number) {
  return { startsAt, endsAt, finalAt: finalAtOf(endsAt, settleMs) };
}

function rejected(rejection: BoardRejection): { rejected: BoardRejection } {
  return { rejected: rejection };
}

function invalid(fault: string): { rejected: BoardRejection } {
  return rejected({ kind: "invalid", faults: [fault] });
}
