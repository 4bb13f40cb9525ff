// The clan's batches, in the form of the public API.
import type { batchEndpoints } from "#contract/dashboard/batches.ts";
import { BatchCursor, encodeCursor } from "#contract/page.ts";
import { batchState } from "#contract/render.ts";
import { AppError } from "#kernel/app-error.ts";
import type { Batch } from "#domain/batch.ts";
import type { CancelBatches } from "#batches/cancel-batches.ts";
import type { BatchStore } from "#batches/ports.ts";
import type { NameStore } from "#names/ports.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import { positionIn } from "../http/position-in.ts";
import type { Routes } from "../http/route.ts";

/** MongoDB counts the applied awards of each, of up to 500 awards: some milliseconds in total. */
const BATCHES_PER_PAGE = 25;

/** How long a person waits for the worker that runs the batch. */
const CANCEL_WAIT_MS = 5_000;

export function makeBatchRoutes({
  batches,
  names,
  cancelBatches,
}: {
  batches: Pick<BatchStore, "listOfClan" | "read">;
  names: Pick<NameStore, "read">;
  cancelBatches: CancelBatches;
}): Routes<typeof batchEndpoints> {
  /** A batch of another clan is treated as unknown. */
  async function requireBatch(clanId: string, batchId: string): Promise<Batch> {
    const batch = await batches.read(batchId);
    if (batch?.clanId === clanId) return batch;
    throw new AppError("batch_not_found", "This clan has no such batch.");
  }

  return {
    async "list-batches"({ params: { clanId }, query: { cursor } }) {
      const position = positionIn(BatchCursor, cursor);
      const after = position && { createdAt: new Date(position[0]), batchId: position[1] };
      const { items, next } = await batches.listOfClan(clanId, { limit: BATCHES_PER_PAGE, after });
      return {
        batches: items.map(({ state: status, createdAt, finishedAt, ...facts }) => ({
          ...facts,
          status,
          createdAt: createdAt.toISOString(),
          finishedAt: finishedAt?.toISOString() ?? null,
        })),
        nextCursor: next && encodeCursor([next.createdAt.toISOString(), next.batchId]),
      };
    },

    async "read-batch"({ params: { clanId, batchId } }) {
      const batch = await requireBatch(clanId, batchId);
      const hasResults = batch.appliedOnce === null;
      const state = batchState(batch);
      const ids = state.results.flatMap(({ platformId }) => platformId ?? []);
      return {
        ...state,
        cancelled: batch.cancelled,
        awards: hasResults ? batch.awards.length : null,
        hasResults,
        names: Object.fromEntries(await names.read(clanId, ids)),
      };
    },

    async "cancel-batch"({ params: { clanId, batchId }, by }) {
      const { state } = await requireBatch(clanId, batchId);
      if (state === "done")
        throw new DashboardError("conflict", "The batch is done: nothing is left to cancel. Nothing was changed.");
      const { applied, cancelled, unfinished } = await cancelBatches({
        list: async () => [batchId],
        waitMs: CANCEL_WAIT_MS,
        by,
      });
      return { applied, cancelled, isDone: unfinished === 0 };
    },
  };
}
