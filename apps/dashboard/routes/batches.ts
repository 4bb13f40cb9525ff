// The clan's batches, as the public API shows each of them.
import type { batchEndpoints } from "#contract/dashboard/batches.ts";
import { BatchCursor, encodeCursor } from "#contract/page.ts";
import { batchState } from "#contract/render.ts";
import { AppError } from "#domain/app-error.ts";
import type { BatchStore } from "#usecases/batches/ports.ts";
import { positionIn } from "../http/position-in.ts";
import type { Routes } from "../http/route.ts";

/** MongoDB counts what was applied in each, of up to 500 awards: some milliseconds in all. */
const BATCHES_PER_PAGE = 25;

export function makeBatchRoutes({ batches }: { batches: Pick<BatchStore, "listOfClan" | "read"> }): Routes<typeof batchEndpoints> {
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
      const batch = await batches.read(batchId);
      // Another clan's batch does not exist here.
      if (batch?.clanId !== clanId) throw new AppError("batch_not_found", "This clan has no such batch.");
      const hasResults = batch.appliedOnce === null;
      return { ...batchState(batch), cancelled: batch.cancelled, awards: hasResults ? batch.awards.length : null, hasResults };
    },
  };
}
