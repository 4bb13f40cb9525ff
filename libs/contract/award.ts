// POST …/members/{platformId}/xp: one award for one member.
import { z } from "zod";
import { limits } from "#domain/entry.ts";
import { AMOUNT_MAX_LIMIT, MATCH_ID_CHARS_MAX, PLACE_ID_CHARS_MAX, REASON_CHARS_MAX } from "#domain/bounds.ts";
import { wrongType } from "#contract/faults.ts";
import { PlatformId, textOf, XpText } from "#contract/text.ts";

const BEYOND_ALL = "is beyond what any clan permits";

/**
 * An integer in the sense of JSON Schema: 25, 25.0 and 1e3 are integers. Every integer that a JSON number expresses
 * exactly is accepted here, because the use case checks the clan's own bound, 1,000,000 by default, and names it.
 */
export const Amount = z.int({ error: amountFault }).meta({ minimum: -AMOUNT_MAX_LIMIT, maximum: AMOUNT_MAX_LIMIT });

/** One of several in a call, whose faults of every award are reported together, before any clan's bound is known. */
export const EntryAmount = Amount.min(-AMOUNT_MAX_LIMIT, { error: BEYOND_ALL }).max(AMOUNT_MAX_LIMIT, {
  error: BEYOND_ALL,
});

function amountFault({ input }: { input?: unknown }): string | undefined {
  if (input === undefined) return undefined;
  const isInteger = Number.isInteger(input) || input === Infinity || input === -Infinity;
  return isInteger ? BEYOND_ALL : wrongType("int", input);
}

export const AwardSource = z
  .strictObject({
    placeId: textOf(PLACE_ID_CHARS_MAX).exactOptional(),
    matchId: textOf(MATCH_ID_CHARS_MAX).exactOptional(),
    verified: z.boolean().exactOptional(),
  })
  .meta({ id: "AwardSource" });

export const AwardRequest = z
  .strictObject({
    amount: Amount,
    reason: textOf(REASON_CHARS_MAX).exactOptional(),
    source: AwardSource.exactOptional(),
  })
  .meta({
    id: "AwardRequest",
    examples: [{ amount: 25, reason: "match won", source: { placeId: "1818", matchId: "match-17", verified: true } }],
  });

export const AwardQuery = z.strictObject({
  include: z
    .literal("change")
    .optional()
    .meta({ description: "`change` adds what the award changed: amounts, ranks and the next rank." }),
});

export const AwardBoost = z
  .strictObject({ boostId: z.string(), name: z.string(), percent: z.int(), amount: XpText })
  .meta({ id: "AwardBoost", description: "The boost that raised the award. `amount`: the requested amount, raised." });

export const LimitedBy = z.enum(limits).nullable().meta({
  id: "LimitedBy",
  description:
    "Why less was applied than requested: the clan's floor, its cap, or what a member can gain in a day. Null: nothing was limited.",
});

/**
 * What the award changed. `amount` is the requested value, `applied` the actual one: they differ by a boost, and by what
 * `limitedBy` names.
 */
export const AwardChange = z
  .strictObject({
    awardId: z.string(),
    amount: XpText,
    applied: XpText,
    boost: AwardBoost.nullable(),
    limitedBy: LimitedBy,
    previousXp: XpText,
    previousRank: z.string(),
    rankChanged: z.boolean(),
    ranksPassed: z.array(z.string()),
    membershipCreated: z.boolean(),
    nextRank: z.string().nullable(),
    xpToNextRank: XpText.nullable(),
  })
  .meta({ id: "AwardChange" });

export const AwardResponse = z
  .strictObject({ platformId: PlatformId, xp: XpText, rank: z.string(), change: AwardChange.exactOptional() })
  .meta({ id: "AwardAnswer", examples: [{ platformId: "123", xp: "1250", rank: "Veteran" }] });
export type AwardResponse = z.infer<typeof AwardResponse>;
