// The order in which batches that lost their jobs are queued again.
import { expect, test } from "vitest";
import { RECOVERY_PAGE } from "#batches/bounds.ts";
import type { AcceptedBatch } from "#batches/ports.ts";
import { makeRecoverBatches } from "#batches/recover-batches.ts";
import { silentLog } from "../../support/silent-log.ts";

test("the recovery scan queues batches that lost their jobs in order of acceptance, regardless of their IDs", async () => {
  const count = 2 * RECOVERY_PAGE + 1;
  // Ids that fall while the time rises.
  const accepted: AcceptedBatch[] = Array.from({ length: count }, (_, index) => ({
    batchId: `bat_${String(count - index).padStart(6, "0")}`,
    clanId: "c",
    awards: 1,
    createdAt: new Date(index),
  }));
  const byId = accepted.toReversed();
  const queued: string[] = [];
  const recoverBatches = makeRecoverBatches({
    batches: {
      listUnfinished: async ({ limit, afterId }) =>
        byId.flatMap(({ batchId }) => (afterId === null || batchId > afterId ? [batchId] : [])).slice(0, limit),
      readFacts: async (ids) => byId.filter(({ batchId }) => ids.includes(batchId)),
    },
    queue: {
      listQueued: async () => new Set(),
      async ensure(batches) {
        queued.push(...batches.map(({ batchId }) => batchId));
        return batches.length;
      },
    },
    clock: { now: () => new Date(1e9), monotonicMs: () => 0, agingMs: () => 0 },
    log: silentLog,
  });
  expect(await recoverBatches()).toEqual({ unfinished: count, revived: count });
  expect(queued).toEqual(accepted.map(({ batchId }) => batchId));
});
