// Events: what changed in a clan, for everybody who follows it (docs/concepts/events.md). An event is derived from a
// committed change, and gets a number in its clan's chain (libs/events/number-events.ts).
import type { AwardSource, ChangeKind } from "#domain/award.ts";
import type { BoardKind } from "#domain/board.ts";
import type { Key } from "#domain/key.ts";
import type { Rank } from "#domain/rank.ts";

export const eventTypes = [
  "member.rank_changed",
  "member.joined",
  "member.left",
  "award.applied",
  "batch.done",
  "reversal.done",
  "ranks.changed",
  "period.final",
  "events.erased",
  "key.created",
  "key.rotated",
  "key.revoked",
  "destination.disabled",
] as const;
export type EventType = (typeof eventTypes)[number];

/** The name of all types with the same first part, such as `member.*`. */
export function familyOf(type: EventType): string {
  return `${type.split(".", 1)[0]}.*`;
}

/** Events about a clan's keys and destinations: for the clan's people, never for an API key. */
function isForPeople(type: EventType): boolean {
  return type.startsWith("key.") || type.startsWith("destination.");
}

/** The events that an API key reads. */
export const feedTypes = eventTypes.filter((type) => !isForPeople(type));

export const rankChangeCauses = ["award", "reversal", "reset", "membership", "appointment"] as const;
export type RankChangeCause = (typeof rankChangeCauses)[number];

/** The entry that an event of a member follows from. `name`: the member's when the event got its number, if known. */
type OfEntry = { platformId: string; seq: number; xp: bigint; rank: string };
type OfMember = OfEntry & { name: string | null };

export type RankChange = OfMember & {
  previousRank: string;
  direction: "up" | "down";
  cause: RankChangeCause;
  nextRank: string | null;
  xpToNextRank: bigint | null;
  ranksPassed: readonly string[];
};
export type AwardApplied = OfEntry & {
  kind?: ChangeKind;
  amount: bigint;
  applied: bigint;
  reason?: string;
  source?: AwardSource;
  /** Null for a change by a person. */
  keyId: string | null;
  batchId?: string;
  /** The id of the award that it takes back. */
  reverses?: string;
};
/** Events of a span of time; `rose` and `fell`: changes of ranks. */
export type ChangeCounts = { joined: number; left: number; rose: number; fell: number };
/** `awards` and `xp`: also those of members who were removed since. `xp` may need more than 64 bits. */
export type PeriodSummary = ChangeCounts & { awards: number; xp: string; members: number };
/** `previousPosition`: in the period before; null if there is none. `name`: as of a member's event; in no response. */
export type TopMember = {
  platformId: string;
  xp: bigint;
  position: number;
  reachedAt: Date;
  previousPosition: number | null;
  name?: string | null;
};
/**
 * `top`: the first members of the period, without those who were erased since. `board`: for messages to people, in no
 * response; `isFirst`: there is no period before.
 */
export type PeriodResult = {
  boardId: string;
  periodId: string;
  startsAt: Date;
  endsAt: Date;
  members: number;
  top: readonly TopMember[];
  summary: PeriodSummary;
  board: { name: string; every: BoardKind; timeZone: string; isFirst: boolean };
};
type KeyFacts = Pick<Key, "keyId" | "name" | "scopes" | "expiresAt">;

export function keyFactsOf({ keyId, name, scopes, expiresAt }: Key): KeyFacts {
  return { keyId, name, scopes, expiresAt };
}

/** What happened, without its place. `batch.done` and `reversal.done` count awards. */
export type EventBody =
  | { type: "member.rank_changed"; data: RankChange }
  | { type: "member.joined"; data: OfMember & { since: Date; cause: "award" | "added" } }
  | { type: "member.left"; data: OfMember & { since: Date } }
  | { type: "award.applied"; data: AwardApplied }
  | {
      type: "batch.done";
      data: { batchId: string; applied: number; rejected: number; createdAt: Date; finishedAt: Date };
    }
  | {
      type: "reversal.done";
      data: {
        reversalId: string;
        selected: number;
        reversed: number;
        skipped: number;
        createdAt: Date;
        finishedAt: Date;
      };
    }
  | {
      type: "ranks.changed";
      data: { ranks: readonly Rank[]; previousRanks: readonly Rank[]; rise: number; fall: number };
    }
  | { type: "period.final"; data: PeriodResult }
  | { type: "events.erased"; data: { eventIds: readonly string[] } }
  | { type: "key.created" | "key.revoked"; data: KeyFacts }
  | { type: "key.rotated"; data: KeyFacts & { replacedBy: string; graceEndsAt: Date } }
  | { type: "destination.disabled"; data: { destinationId: string; name: string; kind: string; reason: string } };

/** An event in its place. `at`: the time of the change. `n`: its number in the clan's chain, from 1. */
export type ClanEvent = EventBody & { eventId: string; clanId: string; n: number; at: Date };
