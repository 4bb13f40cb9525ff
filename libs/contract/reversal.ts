// POST …/reversals and the reversal's own resource, as docs/reference/api.md describes them.
import { z } from "zod";
import { ID_CHARS_MAX, MATCH_ID_CHARS_MAX, REASON_CHARS_MAX } from "#domain/bounds.ts";
import { isBefore } from "#domain/timestamp.ts";
import { AnyTimestamp, Instant, ofForm, PlatformId, textOf } from "#contract/text.ts";

const Id = textOf(ID_CHARS_MAX).min(1, "must not be empty");
const from = AnyTimestamp.meta({ description: "RFC 3339. Awards at this time or later." });
const to = AnyTimestamp.exactOptional().meta({ description: "RFC 3339. Awards before this time." });

const FORMS =
  "{platformId, awardId}, {batchId}, {keyId, from, to?}, {matchId, from?, to?}, {platformId, from, to?}, {resetId} or {importName}";

export const ReversalBy = z
  .union(
    [
      z.strictObject({ platformId: PlatformId, awardId: Id }),
      z.strictObject({ batchId: Id }),
      z.strictObject({ keyId: Id, from, to }),
      z.strictObject({ matchId: textOf(MATCH_ID_CHARS_MAX), from: from.exactOptional(), to }),
      z.strictObject({ platformId: PlatformId, from, to }),
      z.strictObject({ resetId: Id }),
      z.strictObject({ importName: Id }),
    ],
    { error: ofForm(`must be exactly one of ${FORMS}`) },
  )
  .refine((by) => !("to" in by && by.to && by.from) || isBefore(by.from, by.to), {
    path: ["to"],
    error: "must be later than from",
  })
  .meta({ id: "ReversalBy", description: `Which awards: exactly one of ${FORMS}.` });
export type ReversalBy = z.infer<typeof ReversalBy>;

export const ReversalRequest = z
  .strictObject({
    by: ReversalBy,
    reason: textOf(REASON_CHARS_MAX).exactOptional(),
    dryRun: z.boolean().exactOptional(),
  })
  .meta({
    id: "ReversalRequest",
    examples: [{ by: { matchId: "match-17" }, reason: "match was rigged", dryRun: true }],
  });

/** `amount`: the sum of what would be taken back. */
export const ReversalPreview = z
  .strictObject({ awards: z.int(), members: z.int(), amount: z.string().regex(/^-?\d+$/) })
  .meta({ id: "ReversalPreview", examples: [{ awards: 12, members: 4, amount: "300" }] });
export type ReversalPreview = z.infer<typeof ReversalPreview>;

const status = z.enum(["queued", "running", "done"]);

export const ReversalAccepted = z.strictObject({ reversalId: z.string(), status }).meta({ id: "ReversalAccepted" });
export type ReversalAccepted = z.infer<typeof ReversalAccepted>;

export const ReversalState = z
  .strictObject({
    reversalId: z.string(),
    status,
    by: ReversalBy,
    reason: z.string().nullable(),
    selected: z.int(),
    reversed: z.int(),
    skipped: z.int(),
    createdAt: Instant,
    finishedAt: Instant.nullable(),
  })
  .meta({ id: "Reversal" });
export type ReversalState = z.infer<typeof ReversalState>;
