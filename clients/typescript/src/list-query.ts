// The options that lists of standings and of gains have in common: which of the members, and with what.
import { check, checkInteger, checkPlatformId, checkText } from "./check.ts";
import { including } from "./read-members.ts";
import { PAGE_SIZE_MAX } from "./read-pages.ts";
import type { StandingsOptions } from "./types.ts";

type ListOptions = Pick<StandingsOptions, "around" | "platformIds" | "limit" | "cursor" | "name">;

/** The parameters of these options. Throws ClanXpError `invalid_argument`. */
export function listQuery({ around, platformIds, limit, cursor, name }: ListOptions) {
  if (around !== undefined) checkPlatformId(around);
  if (limit !== undefined) checkInteger("limit", limit, 1, PAGE_SIZE_MAX);
  if (cursor !== undefined) checkText("cursor", cursor);
  if (platformIds !== undefined) {
    check(Array.isArray(platformIds), "platformIds must be an array");
    for (const platformId of platformIds) checkPlatformId(platformId);
  }
  return { around, platformIds: platformIds?.join(","), limit, cursor, ...including({ name }) };
}
