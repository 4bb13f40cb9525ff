// After a leak: counts and reverses what an API key awarded in a time span. Only for a key that can no longer award XP.
import { z } from "zod";
import { REASON_CHARS_MAX } from "#domain/bounds.ts";
import { ClanParams, endpoint, NoBody, NoQuery } from "#contract/dashboard/endpoint.ts";
import { BACKWARD, isForward } from "#contract/dashboard/time-span.ts";
import { ReversalAccepted, ReversalPreview } from "#contract/reversal.ts";
import { Instant, textOf } from "#contract/text.ts";

/** `from` is inclusive, `to` exclusive; without `to` until now. */
const span = { from: Instant, to: Instant.optional() };

export const KeyReversalRequest = z
  .strictObject({ ...span, reason: textOf(REASON_CHARS_MAX).nullable() })
  .refine(isForward, BACKWARD);
export type KeyReversalRequest = z.infer<typeof KeyReversalRequest>;

/** `unfinishedBatches`: those of the key at any time; the reversal cancels them. */
const KeyReversalPreview = ReversalPreview.extend({ unfinishedBatches: z.int() });

/**
 * `cancelled`: awards of the key's unfinished batches that will not be applied. `unfinished`: such batches that a
 * worker still runs.
 */
const KeyReversalAccepted = ReversalAccepted.extend({ cancelled: z.int(), unfinished: z.int() });
export type KeyReversalAccepted = z.infer<typeof KeyReversalAccepted>;

const base = {
  path: "/api/clans/{clanId}/keys/{keyId}/reversal",
  params: ClanParams.extend({ keyId: z.string() }),
} as const;
export const keyReversalEndpoints = {
  "preview-key-reversal": endpoint({
    ...base,
    method: "GET",
    access: "owner",
    query: z.strictObject(span).refine(isForward, BACKWARD),
    body: NoBody,
    response: KeyReversalPreview,
  }),
  "reverse-key-awards": endpoint({
    ...base,
    method: "POST",
    access: "owner",
    query: NoQuery,
    body: KeyReversalRequest,
    response: KeyReversalAccepted,
  }),
};
