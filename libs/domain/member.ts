// A member: the ids and the head.
import type { Head } from "#domain/head.ts";
import type { MemberRef } from "#domain/member-id.ts";

export type Member = MemberRef & Head;

/** The orders of a list of members. */
export const memberSorts = ["xp", "platformId", "lastAwardAt"] as const;
export type MemberSort = (typeof memberSorts)[number];

/** Whether the newest award is before this time, or there is none. */
export function isIdle({ lastAwardAt }: Head, since: Date): boolean {
  return !lastAwardAt || lastAwardAt < since;
}
