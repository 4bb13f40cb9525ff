// The events that follow from an entry (docs/concepts/events.md). It is pure: deriving them again returns the same.
import { reversedAwardId } from "#domain/award-key.ts";
import type { Announced, Entry } from "#domain/entry.ts";
import type { EventBody } from "#domain/event.ts";
import type { Head } from "#domain/head.ts";
import { endsMembership } from "#domain/membership.ts";
import { isAppointable, rankIdOf, type Rank } from "#domain/rank.ts";

/**
 * In this order: left, joined, rank changed, award applied. `before`: the member's head before the entry, needed for
 * changes of memberships and appointments alone. `ranks`: the clan's, for the order of STAFF ranks. The names of members
 * are not known here.
 */
export function eventsOfEntry(
  entry: Entry,
  announced: Announced,
  { before, ranks }: { before: Head | null; ranks: readonly Rank[] },
): EventBody[] {
  const { platformId, seq, xp, rank } = entry;
  const facts = { platformId, seq, xp, rank, name: null };
  const events: EventBody[] = [];
  // Removing somebody who has no membership only prevents that XP creates one.
  const left = endsMembership(entry) ? before?.membership : null;
  if (left) events.push({ type: "member.left", data: { ...facts, since: left.since } });
  if (entry.membershipCreated) {
    const cause = entry.kind === "membership" ? "added" : "award";
    events.push({ type: "member.joined", data: { ...facts, since: entry.memberSince ?? entry.at, cause } });
  }
  if (entry.rank !== entry.previousRank) {
    const { previousRank, nextRank, xpToNextRank } = entry;
    const cause = entry.kind ?? "award";
    const ranksPassed = cause === "award" ? (entry.ranksPassed ?? []) : [];
    const direction = directionOf(entry, { before, ranks });
    events.push({
      type: "member.rank_changed",
      data: { ...facts, previousRank, direction, cause, nextRank, xpToNextRank, ranksPassed },
    });
  }
  if (announced === "all") events.push({ type: "award.applied", data: appliedOf(entry) });
  return events;
}

function appliedOf(entry: Entry): Extract<EventBody, { type: "award.applied" }>["data"] {
  const { platformId, seq, kind, amount, applied, xp, rank, reason, source, actor, apiKeyId, batchId } = entry;
  return {
    platformId,
    seq,
    ...(kind === undefined ? {} : { kind }),
    amount,
    applied,
    xp,
    rank,
    ...(reason === undefined ? {} : { reason }),
    ...(source === undefined ? {} : { source }),
    keyId: actor === undefined ? apiKeyId : null,
    ...(batchId === undefined ? {} : { batchId }),
    ...(kind === "reversal" ? { reverses: reversedAwardId(entry.key) } : {}),
  };
}

function directionOf(entry: Entry, known: { before: Head | null; ranks: readonly Rank[] }): "up" | "down" {
  if (entry.membershipCreated) return "up";
  if (endsMembership(entry)) return "down";
  if (entry.kind !== "appointment") return entry.applied < 0n ? "down" : "up";
  const place = (id: string | null | undefined): number => placeOf(known.ranks, id ?? null);
  return place(entry.appointedRank) > place(known.before?.appointedRank) ? "up" : "down";
}

/** OWNER is above STAFF, a later STAFF rank is above an earlier one, and no appointment is below both. */
function placeOf(ranks: readonly Rank[], id: string | null): number {
  const index = ranks.findIndex((rank) => isAppointable(rank) && rankIdOf(rank) === id);
  if (index === -1) return -1;
  return ranks[index]?.kind === "OWNER" ? ranks.length + index : index;
}
