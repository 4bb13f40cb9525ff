// GET /v0/clans/{clanId}/batches/{batchId}.
import type { BatchState } from "#contract/batch.ts";
import { AWARDS_PER_BATCH_MAX } from "#domain/bounds.ts";
import { AppError } from "#kernel/app-error.ts";
import type { BatchStore } from "#batches/ports.ts";
import type { Route } from "../endpoint.ts";
import { batchState } from "#contract/render.ts";

export function makeReadBatchRoute(batches: Pick<BatchStore, "read">): Route<"read-batch"> {
  return ({ principal, params, inTurn }) =>
    inTurn(AWARDS_PER_BATCH_MAX, async () => {
      const batch = await batches.read(params.batchId);
      // The same response for an unknown batch and for another clan's.
      if (batch?.clanId !== principal.clanId)
        throw new AppError("batch_not_found", "This clan has no batch with this id.");
      return { status: 200, body: batchState(batch) satisfies BatchState };
    });
}
