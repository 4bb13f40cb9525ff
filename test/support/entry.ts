// An entry of the ledger with nothing special about it: the first of its member, 5 XP.
import type { Entry } from "#domain/entry.ts";

export function makeEntry(changes: Partial<Entry> = {}): Entry {
  return {
    clanId: "c",
    platformId: "p",
    key: "=k",
    fingerprint: "f",
    amount: 5n,
    applied: 5n,
    xp: 5n,
    rank: "Guest",
    previousRank: "Guest",
    nextRank: null,
    xpToNextRank: null,
    membershipCreated: false,
    memberSince: null,
    apiKeyId: "a",
    seq: 1,
    at: new Date(0),
    ...changes,
  };
}
