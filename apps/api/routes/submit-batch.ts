// POST /v0/clans/{clanId}/xp, deprecated.
import type { BatchAccepted, BatchResponse } from "#contract/batch.ts";
import { preferredWaitMs } from "#contract/prefer.ts";
import type { AwaitBatch } from "#batches/await-batch.ts";
import { BATCH_WAIT_DEFAULT_MS, BATCH_WAIT_MAX_MS } from "#batches/bounds.ts";
import type { SentAward } from "#batches/admit-awards.ts";
import type { SubmitBatch } from "#batches/submit-batch.ts";
import type { HttpResponse } from "../http/response.ts";
import type { Call, Route } from "../endpoint.ts";
import { readSentAward } from "../read-sent-award.ts";
import { batchResults } from "#contract/render.ts";

type BodilessCall = Omit<Call<"submit-batch">, "body">;

/** `Retry-After` in seconds of a batch that is not done. */
const RETRY_AFTER_S = "1";

export function makeSubmitBatchRoute(deps: {
  submitBatch: SubmitBatch;
  awaitBatch: AwaitBatch;
}): Route<"submit-batch"> {
  // The body may contain large ignored parts, so nothing of it is referenced while the batch is awaited.
  return ({ body, ...call }) => respond(call, body.awards.map(readSentAward));

  async function respond(
    { principal, headers, spendAwards }: BodilessCall,
    awards: readonly SentAward[],
  ): Promise<HttpResponse> {
    const idempotencyKey = headers["Idempotency-Key"] ?? null;
    const submitted = await deps.submitBatch({ principal, awards, idempotencyKey, spendAwards });
    const waitMs = preferredWaitMs(headers.Prefer, { defaultMs: BATCH_WAIT_DEFAULT_MS, maxMs: BATCH_WAIT_MAX_MS });
    const batch = await deps.awaitBatch(submitted.batch, waitMs);

    const replayed = submitted.replayed ? ["idempotency-replayed", "true"] : [];
    if (batch.state === "done")
      return { status: 200, headers: replayed, body: batchResults(batch) satisfies BatchResponse };
    const accepted: BatchAccepted = { batchId: batch.batchId, status: batch.state, applied: 0, results: [] };
    const location = `/v0/clans/${batch.clanId}/batches/${batch.batchId}`;
    return { status: 202, headers: [...replayed, "location", location, "retry-after", RETRY_AFTER_S], body: accepted };
  }
}
