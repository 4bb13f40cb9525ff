// Filters that select entries by their `_id`. They also name the fields of it by which a ledger can be sharded: a router
// (mongos) derives them from an equality, but not from a range or a list, and would send those to every shard.
//
// Each is for a statement with the hint BY_ID: other indexes begin with these fields and would read more entries.
import { CANCELLATION } from "#domain/award-key.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { EntryDoc } from "#ledger/store/entry-model.ts";

type Id = EntryDoc["_id"];

export const BY_ID = { _id: 1 } as const;

/** Awards, of API keys and of people. */
export const IS_AWARD = { kind: { $exists: false }, fingerprint: { $ne: CANCELLATION } } as const;

/** Awards that an API key sent. */
export const BY_API_KEY = { ...IS_AWARD, actor: { $exists: false } } as const;

/** Entries of one member. */
export function idsOfMember<Ids>({ clanId, platformId }: MemberRef, ids: Ids) {
  return { _id: ids, "_id.clanId": clanId, "_id.platformId": platformId };
}

/** Entries before this one in a list by time, the newest first. */
export function olderThan({ at, id }: { at: Date; id: Id }) {
  return { $or: [{ at: { $lt: at } }, { at, _id: { $lt: id } }] };
}

/** Entries of one clan. */
export function idsOfClan<Ids>(clanId: string, ids: Ids) {
  return { _id: ids, "_id.clanId": clanId };
}

/**
 * Entries of any members. Without their platformIds, which the router would combine with every clan: it asks only the
 * shards that hold these clans.
 */
export function amongIds(ids: readonly Id[]) {
  return { _id: { $in: [...ids] }, "_id.clanId": { $in: [...new Set(ids.map(({ clanId }) => clanId))] } };
}
