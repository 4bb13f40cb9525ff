// POST …/awards: several awards in one call. Each entry has the fields of a single award, with its member and its key.
import { z } from "zod";
import { AwardChange, AwardRequest, EntryAmount } from "#contract/award.ts";
import { PlainIdempotencyKey } from "#contract/idempotency-key.ts";
import { PlatformId, XpText } from "#contract/text.ts";
import { AWARDS_PER_CALL_MAX } from "#domain/bounds.ts";
import { entryFailureCodes, entryRejectionCodes } from "#kernel/error-code.ts";

const AwardEntry = z
  .strictObject({
    platformId: PlatformId,
    ...AwardRequest.shape,
    amount: EntryAmount,
    idempotencyKey: PlainIdempotencyKey.exactOptional(),
  })
  .meta({ id: "AwardEntry" });

export const AwardsRequest = z
  .strictObject({
    awards: z
      .array(AwardEntry)
      .min(1, { error: "must have at least one award" })
      .meta({ maxItems: AWARDS_PER_CALL_MAX }),
  })
  .meta({
    id: "AwardsRequest",
    examples: [{ awards: [{ platformId: "123", amount: 25, reason: "match won", idempotencyKey: "match-17/123" }] }],
  });

/** The header would name the whole call, which may be applied in part, so each award has its own key. */
export const AwardsHeaders = z.object({
  "Idempotency-Key": z.undefined({
    error: "must not be sent with this endpoint: give each award its own idempotencyKey in the body",
  }),
});

const settled = { index: z.int(), platformId: PlatformId };

const AwardsResult = z
  .discriminatedUnion("status", [
    z.strictObject({
      ...settled,
      status: z.enum(["applied", "replayed"]),
      xp: XpText,
      rank: z.string(),
      change: AwardChange.exactOptional(),
    }),
    z.strictObject({
      ...settled,
      status: z.literal("rejected"),
      error: z.strictObject({ code: z.enum(entryRejectionCodes), detail: z.string() }),
    }),
    z.strictObject({
      ...settled,
      status: z.literal("failed"),
      error: z.strictObject({ code: z.enum(entryFailureCodes), detail: z.string() }),
    }),
  ])
  .meta({ id: "AwardsResult" });
export type AwardsResult = z.infer<typeof AwardsResult>;

export const AwardsResponse = z
  .strictObject({ applied: z.int(), results: z.array(AwardsResult) })
  .meta({ id: "AwardsAnswer" });
export type AwardsResponse = z.infer<typeof AwardsResponse>;
