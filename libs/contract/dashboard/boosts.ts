// The clan's boosts: listed, added, ended.
import { z } from "zod";
import {
  BOOST_DAYS_MAX,
  BOOSTS_PER_CLAN_MAX,
  boostStatuses,
  isTooLong,
  percentOf,
  PLACES_PER_BOOST_MAX,
} from "#domain/boost.ts";
import { isName, NAME_CHARS_MAX, PLACE_ID_CHARS_MAX, RANKS_PER_CLAN_MAX } from "#domain/bounds.ts";
import { timeZoneOf } from "#domain/time-zone.ts";
import { Boost } from "#contract/clan.ts";
import { ClanParams, endpoint, NoBody, NoQuery } from "#contract/dashboard/endpoint.ts";
import { Instant, textOf } from "#contract/text.ts";

/** `endedAt`: when a person ended it. */
export const ListedBoost = Boost.extend({
  createdAt: Instant,
  endedAt: Instant.nullable(),
  status: z.enum(boostStatuses),
});
export type ListedBoost = z.infer<typeof ListedBoost>;

/** `open`: those that have not ended. `ranks`: the names of the clan's ranks. */
export const BoostList = z.strictObject({
  boosts: z.array(ListedBoost),
  open: z.int(),
  openMax: z.int(),
  ranks: z.array(z.string()),
});
export type BoostList = z.infer<typeof BoostList>;

const NOT_COUNT = { error: `must be a whole number from 1 to ${BOOSTS_PER_CLAN_MAX}` };

const Window = z.discriminatedUnion("kind", [
  /** `from` null: now. */
  z
    .strictObject({ kind: z.literal("times"), from: Instant.nullable(), to: Instant })
    .refine(({ from, to }) => from === null || from < to, { path: ["to"], error: "must be after the beginning" })
    .refine(({ from, to }) => from === null || !isTooLong({ from: new Date(from), to: new Date(to) }), {
      path: ["to"],
      error: `must be at most ${BOOST_DAYS_MAX} days after the beginning`,
    }),
  z.strictObject({
    kind: z.literal("weekends"),
    weekends: z.int(NOT_COUNT).min(1, NOT_COUNT).max(BOOSTS_PER_CLAN_MAX, NOT_COUNT),
    timeZone: z.string().refine((name) => timeZoneOf(name) !== null, {
      error: "must be a time zone of the IANA database, as Europe/Berlin",
    }),
  }),
]);

/** `factor`: as text, such as 1.25. */
export const AddBoostsRequest = z.strictObject({
  name: z.string().refine(isName, { error: `must be 1 to ${NAME_CHARS_MAX} characters of plain text` }),
  factor: z.string().refine((text) => percentOf(text) !== null, {
    error: "must be 1.01 to 10, with at most two decimals",
  }),
  window: Window,
  ranks: z.array(z.string()).max(RANKS_PER_CLAN_MAX),
  placeIds: z
    .array(textOf(PLACE_ID_CHARS_MAX).min(1))
    .max(PLACES_PER_BOOST_MAX, { error: `must be at most ${PLACES_PER_BOOST_MAX} place IDs` }),
});
export type AddBoostsRequest = z.infer<typeof AddBoostsRequest>;

export const boostEndpoints = {
  "list-boosts": endpoint({
    method: "GET",
    path: "/api/clans/{clanId}/boosts",
    access: "viewer",
    params: ClanParams,
    query: NoQuery,
    body: NoBody,
    response: BoostList,
  }),
  "add-boosts": endpoint({
    method: "POST",
    path: "/api/clans/{clanId}/boosts",
    access: "owner",
    params: ClanParams,
    query: NoQuery,
    body: AddBoostsRequest,
    response: z.strictObject({ boosts: z.array(ListedBoost) }),
  }),
  "end-boost": endpoint({
    method: "POST",
    path: "/api/clans/{clanId}/boosts/{boostId}/end",
    access: "owner",
    params: ClanParams.extend({ boostId: z.string() }),
    query: NoQuery,
    body: NoBody,
    response: ListedBoost,
  }),
};
