// POST …/xp, the deprecated batch, and the batch's own resource. Unknown fields are ignored here: existing callers send
// them.
import { z } from "zod";
import { AWARDS_PER_BATCH_MAX } from "#domain/bounds.ts";
import { ERASED } from "#domain/erased.ts";
import { batchCodes } from "#domain/batch.ts";
import { Amount } from "#contract/award.ts";
import { Instant, PlatformId, XpText } from "#contract/text.ts";

/** One entry; an invalid one is rejected alone. */
export const BatchAward = z
  .object({ platformId: PlatformId, amount: Amount })
  .meta({ id: "BatchAward", unusedIO: "input" });

const SentEntry = z.unknown().meta({
  description: "A BatchAward; anything else is rejected alone.",
  override: { anyOf: [{ $ref: "#/components/schemas/BatchAward" }, {}] },
});

/**
 * The frame of a batch. Its entries are parsed individually, and their number has a dedicated code: `too_many_awards`.
 */
export const BatchRequest = z
  .object({ awards: z.array(SentEntry).meta({ maxItems: AWARDS_PER_BATCH_MAX }) })
  .meta({ id: "BatchRequest", examples: [{ awards: [{ platformId: "123", amount: 25 }] }] });

/** Replaces the platform ID of a member that was erased since: no platform ID contains parentheses. */
const ErasablePlatformId = z.union([PlatformId, z.literal(ERASED)]);

const BatchResult = z
  .discriminatedUnion("status", [
    z.strictObject({
      index: z.int(),
      platformId: ErasablePlatformId,
      status: z.literal("applied"),
      xp: XpText,
      rank: z.string(),
    }),
    z.strictObject({
      index: z.int(),
      platformId: z.string().nullable(),
      status: z.literal("rejected"),
      error: z.strictObject({ code: z.enum(batchCodes), detail: z.string() }),
    }),
  ])
  .meta({ id: "BatchResult" });
export type BatchResult = z.infer<typeof BatchResult>;

export const BatchResponse = z
  .strictObject({ applied: z.int(), results: z.array(BatchResult) })
  .meta({ id: "BatchAnswer" });
export type BatchResponse = z.infer<typeof BatchResponse>;

export const BatchAccepted = z
  .strictObject({
    batchId: z.string(),
    status: z.enum(["queued", "running"]),
    applied: z.literal(0),
    results: z.array(z.never()).max(0),
  })
  .meta({ id: "BatchAccepted" });
export type BatchAccepted = z.infer<typeof BatchAccepted>;

export const BatchState = z
  .strictObject({
    batchId: z.string(),
    status: z.enum(["queued", "running", "done"]),
    applied: z.int(),
    results: z.array(BatchResult),
    createdAt: Instant,
    finishedAt: Instant.nullable(),
  })
  .meta({ id: "BatchState" });
export type BatchState = z.infer<typeof BatchState>;
