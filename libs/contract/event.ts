// An event as readers receive it, docs/reference/events.md describes it: in the feed, on the command line, and in
// deliveries. event-response.ts creates it.
import { z } from "zod";
import { changeKinds } from "#domain/award.ts";
import { rankChangeCauses } from "#domain/event.ts";
import { scopes } from "#domain/scope.ts";
import { AwardSource } from "#contract/award.ts";
import { StandingResponse } from "#contract/board.ts";
import { ClanResponse } from "#contract/clan.ts";
import { Instant, PlatformId, XpSum, XpText } from "#contract/text.ts";

const Seq = z.int().min(1).meta({ description: "The member's number of the entry." });
const Name = z.string().nullable().meta({ description: "The member's name when the event got its place; null: none." });
const OfEntry = z.strictObject({ platformId: PlatformId, seq: Seq, xp: XpText, rank: z.string() });
const OfMember = OfEntry.extend({ name: Name });
const OfKey = z.strictObject({
  keyId: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  expiresAt: Instant.nullable(),
});
const { ranks } = ClanResponse.shape;

const data = {
  "member.rank_changed": OfMember.extend({
    previousRank: z.string(),
    direction: z.enum(["up", "down"]),
    cause: z.enum(rankChangeCauses),
    awardId: z.string(),
    nextRank: z.string().nullable(),
    xpToNextRank: XpText.nullable(),
    ranksPassed: z.array(z.string()),
  }),
  "member.joined": OfMember.extend({ since: Instant, cause: z.enum(["award", "added"]) }),
  "member.left": OfMember.extend({ since: Instant }),
  "award.applied": OfEntry.extend({
    awardId: z.string(),
    kind: z.enum(changeKinds).exactOptional(),
    amount: XpText,
    applied: XpText,
    reason: z.string().exactOptional(),
    source: AwardSource.exactOptional(),
    keyId: z.string().nullable().meta({ description: "Null for a change by a person." }),
    batchId: z.string().exactOptional(),
    reverses: z.string().exactOptional(),
  }),
  "batch.done": z.strictObject({
    batchId: z.string(),
    applied: z.int(),
    rejected: z.int(),
    createdAt: Instant,
    finishedAt: Instant,
  }),
  "reversal.done": z.strictObject({
    reversalId: z.string(),
    selected: z.int(),
    reversed: z.int(),
    skipped: z.int(),
    createdAt: Instant,
    finishedAt: Instant,
  }),
  "ranks.changed": z.strictObject({ ranks, previousRanks: ranks, rise: z.int(), fall: z.int() }),
  "period.final": z.strictObject({
    boardId: z.string(),
    periodId: z.string(),
    startsAt: Instant,
    endsAt: Instant,
    members: z.int(),
    top: z.array(
      StandingResponse.extend({
        previousPosition: z.int().min(1).nullable().meta({ description: "In the period before; null: none." }),
      }).meta({ id: "TopMember" }),
    ),
    summary: z.strictObject({
      awards: z.int(),
      xp: XpSum,
      members: z.int(),
      joined: z.int(),
      left: z.int(),
      rose: z.int(),
      fell: z.int(),
    }),
  }),
  "events.erased": z.strictObject({ eventIds: z.array(z.string()) }),
  "key.created": OfKey,
  "key.rotated": OfKey.extend({ replacedBy: z.string(), graceEndsAt: Instant }),
  "key.revoked": OfKey,
  "destination.disabled": z.strictObject({
    destinationId: z.string(),
    name: z.string(),
    kind: z.string(),
    reason: z.string(),
  }),
} as const;

function envelopeOf<Type extends keyof typeof data>(type: Type) {
  return z.strictObject({
    id: z.string(),
    type: z.literal(type),
    timestamp: Instant.meta({ description: "When the change was made." }),
    clanId: z.string(),
    data: data[type],
  });
}

/** The events that an API key reads. */
export const EventResponse = z
  .discriminatedUnion("type", [
    envelopeOf("member.rank_changed"),
    envelopeOf("member.joined"),
    envelopeOf("member.left"),
    envelopeOf("award.applied"),
    envelopeOf("batch.done"),
    envelopeOf("reversal.done"),
    envelopeOf("ranks.changed"),
    envelopeOf("period.final"),
    envelopeOf("events.erased"),
  ])
  .meta({ id: "Event" });
export type EventResponse = z.infer<typeof EventResponse>;

/** An event of any type, as people read it on the command line and in the dashboard. */
export const AnyEventResponse = z.discriminatedUnion("type", [
  ...EventResponse.options,
  envelopeOf("key.created"),
  envelopeOf("key.rotated"),
  envelopeOf("key.revoked"),
  envelopeOf("destination.disabled"),
]);
export type AnyEventResponse = z.infer<typeof AnyEventResponse>;
