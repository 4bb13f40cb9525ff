// POST /v0/clans/{clanId}/reversals: a preview, or the reversal itself.
import type { ReversalAccepted, ReversalPreview } from "#contract/reversal.ts";
import type { PreviewReversal } from "#usecases/reversals/preview-reversal.ts";
import type { SubmitReversal } from "#usecases/reversals/submit-reversal.ts";
import type { Route } from "../endpoint.ts";

/** `Retry-After` in seconds of a reversal. */
const RETRY_AFTER_S = "1";

export function makeSubmitReversalRoute(deps: {
  previewReversal: PreviewReversal;
  submitReversal: SubmitReversal;
}): Route<"submit-reversal"> {
  return async ({ principal: { clanId, keyId }, headers, body: { by, reason = null, dryRun = false } }) => {
    if (dryRun) {
      const { awards, members, amount } = await deps.previewReversal(clanId, by);
      return { status: 200, body: { awards, members, amount: amount.toString() } satisfies ReversalPreview };
    }
    const idempotencyKey = headers["Idempotency-Key"] ?? null;
    const { reversal, replayed } = await deps.submitReversal({
      clanId,
      caller: { keyId },
      by,
      reason,
      idempotencyKey,
    });
    const { reversalId, state: status } = reversal;
    const location = `/v0/clans/${clanId}/reversals/${reversalId}`;
    return {
      status: 202,
      headers: [
        ...(replayed ? ["idempotency-replayed", "true"] : []),
        "location",
        location,
        // Of a replay that is done, there is nothing to wait for.
        ...(status === "done" ? [] : ["retry-after", RETRY_AFTER_S]),
      ],
      body: { reversalId, status } satisfies ReversalAccepted,
    };
  };
}
