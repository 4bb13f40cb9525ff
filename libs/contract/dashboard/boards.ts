// The clan's boards: listed, made, changed, removed; their periods and standings.
import { z } from "zod";
import { MONTH_DAY_MAX, SETTLE_MS_MAX, weekdays } from "#domain/board.ts";
import { isName, NAME_CHARS_MAX } from "#domain/bounds.ts";
import { timeZoneOf } from "#domain/time-zone.ts";
import { BoardId, BoardResponse, PeriodId, PeriodsResponse, StandingsResponse } from "#contract/board.ts";
import { ClanParams, CsvFile, Done, endpoint, NoBody, NoQuery } from "#contract/dashboard/endpoint.ts";
import { MemberSearch } from "#contract/dashboard/members.ts";
import { Instant } from "#contract/text.ts";

const HOURS_MAX = SETTLE_MS_MAX / 3_600_000;
const NOT_HOURS = { error: `must be 0 to ${HOURS_MAX}` };
const NOT_DAY = { error: `must be a day from 1 to ${MONTH_DAY_MAX}, because each month has these` };

const clock = {
  at: z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, { error: "must be a time from 00:00 to 23:59" }),
  timeZone: z.string().refine((name) => timeZoneOf(name) !== null, {
    error: "must be a time zone of the IANA database, as Europe/Berlin",
  }),
};
export const SeasonTimes = z
  .strictObject({ startsAt: Instant, endsAt: Instant })
  .refine(({ startsAt, endsAt }) => new Date(startsAt) < new Date(endsAt), {
    path: ["endsAt"],
    error: "must be after the beginning",
  });
export type SeasonTimes = z.infer<typeof SeasonTimes>;

/** When periods begin. */
export const BoardRhythm = z.discriminatedUnion("every", [
  z.strictObject({ every: z.literal("day"), on: z.null(), ...clock }),
  z.strictObject({ every: z.literal("week"), on: z.enum(weekdays), ...clock }),
  z.strictObject({
    every: z.literal("month"),
    on: z.int(NOT_DAY).min(1, NOT_DAY).max(MONTH_DAY_MAX, NOT_DAY),
    ...clock,
  }),
]);
export type BoardRhythm = z.infer<typeof BoardRhythm>;

const settings = {
  name: z.string().refine(isName, { error: `must be 1 to ${NAME_CHARS_MAX} characters of plain text` }),
  settleHours: z.number(NOT_HOURS).min(0, NOT_HOURS).max(HOURS_MAX, NOT_HOURS),
};

/** `from`: the first period contains it; null: now. */
export const AddBoardRequest = z.strictObject({
  boardId: BoardId,
  ...settings,
  periods: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("rhythm"), rhythm: BoardRhythm, from: Instant.nullable() }),
    z.strictObject({ kind: z.literal("season"), season: SeasonTimes }),
  ]),
});
export type AddBoardRequest = z.infer<typeof AddBoardRequest>;

/** `rhythm` null: of a board of seasons. */
export const ChangeBoardRequest = z.strictObject({ ...settings, rhythm: BoardRhythm.nullable() });
export type ChangeBoardRequest = z.infer<typeof ChangeBoardRequest>;

export const BoardList = z.strictObject({ boards: z.array(BoardResponse), max: z.int() });
export type BoardList = z.infer<typeof BoardList>;

/** A standing with the member's name. */
export const NamedStandings = StandingsResponse.extend({
  members: z.array(StandingsResponse.shape.members.element.extend({ name: z.string().nullable() })),
});
export type NamedStandings = z.infer<typeof NamedStandings>;

const path = "/api/clans/{clanId}/boards/{boardId}";
const BoardParams = ClanParams.extend({ boardId: BoardId });
const periodPath = `${path}/periods/{periodId}` as const;
const PeriodParams = BoardParams.extend({ periodId: PeriodId });
const changes = { access: "owner", query: NoQuery } as const;
/** The `nextCursor` of the previous page; the route parses it. */
const PageQuery = z.strictObject({ cursor: z.string().optional() });

export const boardEndpoints = {
  "list-boards": endpoint({
    method: "GET",
    path: "/api/clans/{clanId}/boards",
    access: "viewer",
    params: ClanParams,
    query: NoQuery,
    body: NoBody,
    response: BoardList,
  }),
  "add-board": endpoint({
    ...changes,
    method: "POST",
    path: "/api/clans/{clanId}/boards",
    params: ClanParams,
    body: AddBoardRequest,
    response: BoardResponse,
  }),
  /** The next three boundaries with this schedule. `boardId`: of the board that it would change. */
  "preview-board": endpoint({
    ...changes,
    method: "POST",
    path: "/api/clans/{clanId}/board-preview",
    params: ClanParams,
    body: z.strictObject({ rhythm: BoardRhythm, boardId: BoardId.nullable() }),
    response: z.strictObject({ boundaries: z.array(Instant) }),
  }),
  "change-board": endpoint({
    ...changes,
    method: "PATCH",
    path,
    params: BoardParams,
    body: ChangeBoardRequest,
    response: BoardResponse,
  }),
  "add-season": endpoint({
    ...changes,
    method: "POST",
    path: `${path}/seasons`,
    params: BoardParams,
    body: SeasonTimes,
    response: BoardResponse,
  }),
  "remove-board": endpoint({ ...changes, method: "DELETE", path, params: BoardParams, body: NoBody, response: Done }),
  "list-periods": endpoint({
    method: "GET",
    path: `${path}/periods`,
    access: "viewer",
    params: BoardParams,
    query: PageQuery,
    body: NoBody,
    response: PeriodsResponse,
  }),
  "list-standings": endpoint({
    method: "GET",
    path: `${periodPath}/members`,
    access: "viewer",
    params: PeriodParams,
    /** `search`: only members that it finds. */
    query: PageQuery.extend({ search: MemberSearch.optional() }),
    body: NoBody,
    response: NamedStandings,
  }),
  "export-standings": endpoint({
    method: "GET",
    path: `${periodPath}/members.csv`,
    access: "viewer",
    params: PeriodParams,
    query: NoQuery,
    body: NoBody,
    response: CsvFile,
  }),
};
