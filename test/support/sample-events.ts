// Events of every type, and destinations that receive them, without any server.
import type { Destination, DestinationKind } from "#domain/destination.ts";
import { eventTypes, type ClanEvent, type EventBody, type EventType, type RankChange } from "#domain/event.ts";

const at = new Date("2026-11-20T12:00:00.250Z");
const member = { platformId: "156", name: "Builderman", seq: 7, xp: 1_250n, rank: "Veteran" };
const batchOrReversal = { createdAt: at, finishedAt: new Date("2026-11-20T12:00:05.000Z") };
const key = { keyId: "key_1", name: "Game servers", scopes: ["award", "read"] as const, expiresAt: null };
const ranks = [
  { name: "Guest", kind: "GUEST" },
  { name: "Recruit", kind: "NORMAL", threshold: 100n },
] as const;

export const rankChange: RankChange = {
  ...member,
  previousRank: "Recruit",
  direction: "up",
  cause: "award",
  nextRank: "Elite",
  xpToNextRank: 8_750n,
  ranksPassed: ["Veteran"],
};

type DataOf<Body, Type> = Body extends { type: infer Types; data: infer Data }
  ? Type extends Types
    ? Data
    : never
  : never;

const bodies: { [Type in EventType]: DataOf<EventBody, Type> } = {
  "member.rank_changed": rankChange,
  "member.joined": { ...member, since: at, cause: "award" },
  "member.left": { ...member, since: at },
  "award.applied": {
    platformId: "156",
    seq: 7,
    xp: 1_250n,
    rank: "Veteran",
    amount: 1_200n,
    applied: 1_150n,
    reason: "won the match",
    source: { placeId: "1", verified: true },
    keyId: "key_1",
  },
  "batch.done": { batchId: "bat_1", applied: 1_998, rejected: 2, ...batchOrReversal },
  "reversal.done": { reversalId: "rev_1", selected: 12, reversed: 10, skipped: 2, ...batchOrReversal },
  "ranks.changed": { ranks, previousRanks: ranks.slice(0, 1), rise: 1_200, fall: 1 },
  "period.final": {
    boardId: "weekly",
    periodId: "20261116T000000Z",
    startsAt: new Date("2026-11-16T00:00:00.000Z"),
    endsAt: new Date("2026-11-23T00:00:00.000Z"),
    members: 1_200,
    top: [
      { platformId: "156", xp: 1_250n, position: 1, reachedAt: at, previousPosition: 4, name: "Builderman" },
      { platformId: "157", xp: 900n, position: 2, reachedAt: at, previousPosition: 1, name: null },
      { platformId: "158", xp: 7n, position: 3, reachedAt: at, previousPosition: 3, name: null },
      { platformId: "159", xp: 7n, position: 3, reachedAt: at, previousPosition: null, name: null },
    ],
    summary: { awards: 3_204, xp: "90000", members: 1_200, joined: 12, left: 3, rose: 8, fell: 1 },
    board: { name: "Weekly_XP", every: "week", timeZone: "UTC", isFirst: false },
  },
  "events.erased": { eventIds: ["evt_1", "evt_2"] },
  "key.created": key,
  "key.rotated": { ...key, replacedBy: "key_2", graceEndsAt: at },
  "key.revoked": key,
  "destination.disabled": {
    destinationId: "dst_2",
    name: "Our server",
    kind: "webhook",
    reason: "The receiver has responded 410 Gone.",
  },
};

/** An event of each type. */
export const sampleEvents: readonly ClanEvent[] = eventTypes.map((type, index) => sampleEvent({ type }, index + 1));

export function sampleEvent(body: { type: EventType; data?: object }, n = 1): ClanEvent {
  return { ...body, eventId: `evt_${n}`, clanId: "rovers", n, at, data: body.data ?? bodies[body.type] } as ClanEvent;
}

export function sampleDestination(kind: DestinationKind): Destination {
  return {
    destinationId: "dst_1",
    clanId: "rovers",
    name: "Sample",
    kind,
    types: [...eventTypes],
    only: null,
    state: "active",
    stateReason: null,
    since: at,
    sendsTo: "",
    mapping: null,
    lastDeliveredAt: null,
    missed: 0,
    createdAt: at,
    createdBy: "test",
  };
}
