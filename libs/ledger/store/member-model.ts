// The collection of members: its documents, their conversion, and its indexes, each with the query that needs it.
import type { DayGains } from "#domain/daily-cap.ts";
import type { Head } from "#domain/head.ts";
import { memberRefOf, type MemberId } from "#domain/member-id.ts";
import type { Member } from "#domain/member.ts";
import { index } from "#mongo/collection.ts";
import { idsUnder } from "#mongo/ranges.ts";

export type MemberDoc = {
  _id: string;
  clanId: string;
  platformId: string;
  xp: bigint;
  seq: number;
  membership: { since: Date } | null;
  appointedRank: string | null;
  /** A person ended the membership: the member is on no leaderboard. */
  removed?: true;
  gains?: DayGains;
  /** Absent if an older version wrote the document, or the newest entry. */
  lastAwardAt?: Date | null;
  /** The member is being erased. */
  erasing?: true;
  /** In a clan with boards: they have not counted the entries after this one (libs/boards/store/uncounted-entries.ts). */
  due?: number;
};

export const LEADERBOARD = { clanId: 1, removed: 1, xp: -1, platformId: 1 } as const;
/** The same order from its end. */
export const LEADERBOARD_UPWARDS = { clanId: -1, removed: -1, xp: 1, platformId: -1 } as const;
export const BY_LAST_AWARD = { clanId: 1, lastAwardAt: 1, platformId: 1 } as const;
export const DUE_MEMBERS = { clanId: 1, due: 1 } as const;

export const MEMBERS = {
  name: "members",
  indexes: [
    // The leaderboard: the members without `removed`. Members by platformId need no index: `_id` has that order.
    index(LEADERBOARD),
    // The members whose newest award is the oldest, those without one first.
    index(BY_LAST_AWARD),
    // Members with entries that boards have not counted.
    index(DUE_MEMBERS, { partialFilterExpression: { due: { $exists: true } } }),
  ],
};

/**
 * All members of a clan, or those from a platformId on, by their `_id`, which a sharded collection is divided by. A
 * statement by another index names it too, with a hint: a router (mongos) then asks only the shards that hold the clan.
 */
export function membersOfClan(clanId: string, from = "") {
  return { _id: idsUnder(clanId, from) };
}

/** Members whose newest award is before this time, or who have none. */
export function idleFilter(since: Date) {
  return { $or: [{ lastAwardAt: null }, { lastAwardAt: { $lt: since } }] };
}

/**
 * A document that an older version wrote, or that something else has changed: this version writes these types only. It
 * can be rebuilt from the ledger.
 */
export function isOutdated({
  clanId,
  platformId,
  xp,
  seq,
  membership,
  appointedRank,
  lastAwardAt,
}: MemberDoc): boolean {
  if (lastAwardAt !== null && !(lastAwardAt instanceof Date)) return true;
  const hasTypes = typeof xp === "bigint" && Number.isSafeInteger(seq) && isText(clanId) && isText(platformId);
  return (
    !hasTypes || (membership ?? null) !== membershipOf(membership) || (appointedRank ?? null) !== textOf(appointedRank)
  );
}

/** Never throws: what is damaged is left out, so that one document does not make a page unreadable. */
export function headOfDoc({
  xp,
  seq,
  membership,
  appointedRank,
  removed,
  gains,
  lastAwardAt,
  erasing,
}: MemberDoc): Head {
  return {
    xp: wholeOf(xp),
    seq,
    membership: membershipOf(membership),
    appointedRank: textOf(appointedRank),
    ...(removed ? { removed } : {}),
    ...(gains ? { gains } : {}),
    ...(lastAwardAt === null || lastAwardAt instanceof Date ? { lastAwardAt } : {}),
    ...(erasing ? { erasing } : {}),
  };
}

export function memberOfDoc(doc: MemberDoc): Member {
  return { ...memberRefOf(doc._id as MemberId), ...headOfDoc(doc) };
}

function wholeOf(xp: unknown): bigint {
  if (typeof xp === "bigint") return xp;
  return typeof xp === "number" && Number.isFinite(xp) ? BigInt(Math.trunc(xp)) : 0n;
}

function membershipOf(value: MemberDoc["membership"]): MemberDoc["membership"] {
  return value?.since instanceof Date ? value : null;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function textOf(value: unknown): string | null {
  return isText(value) ? value : null;
}
