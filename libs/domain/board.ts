// A board ranks a clan's members by the XP that they gained in a period (docs/decisions/0052). Its schedule says when
// periods end; period.ts has the periods.

export const BOARDS_PER_CLAN_MAX = 8;
/** A season is stored one by one, and each read of the board's periods passes them. */
export const SEASONS_PER_BOARD_MAX = 100;
/** How far back a new board counts. */
export const BOARD_DAYS_BACK_MAX = 400;
export const SETTLE_MS_DEFAULT = 60 * 60_000;
/** A longer correction is a matter of the leaderboard of all time. */
export const SETTLE_MS_MAX = 168 * 60 * 60_000;
/** Awards that are committed late must find their period open. */
export const SETTLE_MS_MIN = 60_000;
/** Positions of a final period that are stored for ever. */
export const FINAL_POSITIONS_KEPT = 1_000;
/** Members in an event about a final period. */
export const TOP_MEMBERS = 10;

export const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
export type Weekday = (typeof weekdays)[number];
/** A later day does not exist in each month. */
export const MONTH_DAY_MAX = 28;

export const boardKinds = ["day", "week", "month", "season"] as const;
export type BoardKind = (typeof boardKinds)[number];

/** `at`: HH:MM in the time zone. */
type Clock = { at: string; timeZone: string };
/** Periods follow each other. */
export type Rhythm = Clock &
  ({ every: "day"; on: null } | { every: "week"; on: Weekday } | { every: "month"; on: number });
/** The periods of seasons are set one by one. */
export type Schedule = Rhythm | { every: "season" };

/** `settleMs`: how long reversals change a period that has ended. */
export type Board = { clanId: string; boardId: string; name: string; schedule: Schedule; settleMs: number };

/** Part of paths, chosen by people. */
export function isBoardId(text: string): boolean {
  return /^[a-z0-9-]{1,32}$/.test(text);
}
