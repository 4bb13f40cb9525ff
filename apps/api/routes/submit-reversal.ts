// POST /v0/clans/{clanId}/reversals: a preview, or the reversal itself.
import { reversalAccepted, reversalPreview } from "#contract/render.ts";
import type { PreviewReversal } from "#reversals/preview-reversal.ts";
import type { SubmitReversal } from "#reversals/submit-reversal.ts";
import type { Route } from "../endpoint.ts";

/** `Retry-After` in seconds of a reversal. */
const RETRY_AFTER_S = "1";

export function makeSubmitReversalRoute(deps: {
  previewReversal: PreviewReversal;
  submitReversal: SubmitReversal;
}): Route<"submit-reversal"> {
  return async ({ principal: { clanId, keyId }, headers, body: { by, reason = null, dryRun = false } }) => {
    if (dryRun) return { status: 200, body: reversalPreview(await deps.previewReversal(clanId, by)) };
    const idempotencyKey = headers["Idempotency-Key"] ?? null;
    const { reversal, replayed } = await deps.submitReversal({
      clanId,
      caller: { keyId },
      by,
      reason,
      idempotencyKey,
    });
    const accepted = reversalAccepted(reversal);
    const location = `/v0/clans/${clanId}/reversals/${accepted.reversalId}`;
    return {
      status: 202,
      headers: [
        ...(replayed ? ["idempotency-replayed", "true"] : []),
        "location",
        location,
        // Of a replay that is done, there is nothing to wait for.
        ...(accepted.status === "done" ? [] : ["retry-after", RETRY_AFTER_S]),
      ],
      body: accepted,
    };
  };
}
