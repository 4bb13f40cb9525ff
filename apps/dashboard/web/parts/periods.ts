// The periods of a board, as selects list them.
import type { PeriodResponse } from "#contract/board.ts";
import { call } from "../api/call.ts";

/** Several years of days. An older period is still in a select once an address names it. */
const PAGES_MAX = 10;

type BoardParams = { clanId: string; boardId: string };

/** A query for them. */
export function periodsOf(params: BoardParams) {
  return {
    queryKey: ["list-periods", "all", { params }],
    queryFn: ({ signal }: { signal: AbortSignal }) => readPeriods(params, signal),
  };
}

/** The newest first. */
async function readPeriods(params: BoardParams, signal: AbortSignal) {
  const periods: PeriodResponse[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const read = await call("list-periods", { params, query: { cursor } }, signal);
    periods.push(...read.periods);
    if (read.nextCursor === null) break;
    cursor = read.nextCursor;
  }
  return periods;
}

/** Its days, in the time zone of the board or, in one of seasons, of the person. */
export function periodText({ startsAt, endsAt }: PeriodResponse, timeZone: string | null): string {
  const day = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: timeZone ?? undefined });
  return day.formatRange(new Date(startsAt), new Date(endsAt));
}
