// The connections that only the worker opens: its jobs, and the priority claim of single awards.
import { openConnections as openShared, type ConnectionsDeps } from "#composition/open-connections.ts";
import { makeDeleteLocks } from "#lock/delete-locks.ts";
import { joinEventSignal } from "#redis/event-signal.ts";
import { makeReadPriority, watchPriority } from "#redis/priority-claim.ts";
import { makeBudgetStore } from "#keys/store/budget-store.ts";
import { makeReadExpiring } from "#keys/store/read-expiring.ts";
import { makeReadSizes } from "#operations/store/collection-sizes.ts";
import { budgetDay } from "#keys/budget-day.ts";

export type Connections = ReturnType<typeof openConnections>;

/** Opens them in the background, without waiting for MongoDB or Redis. */
export function openConnections(deps: ConnectionsDeps) {
  const shared = openShared({ ...deps, name: "clanxp-worker" });
  const { database, namespace, queueRedis } = shared;
  const budgets = makeBudgetStore(database);
  const eventSignal = joinEventSignal({ ...deps, subscriber: shared.openBlocking(), namespace });
  const readExpiring = makeReadExpiring(database);

  return {
    ...shared,
    jobsRedis: shared.openJobs(),
    readSizes: makeReadSizes(database),
    readExpiring: (limit: number) => readExpiring(deps.clock.now(), limit),
    readBudgets: (limit: number) => budgets.mostUsed(budgetDay(deps.clock.now()), limit),
    deleteLocks: makeDeleteLocks({ redis: queueRedis, namespace }),
    async close(): Promise<void> {
      eventSignal.stop();
      await shared.close();
    },
    eventSignal,
    // For steps that are further apart than what isThrottled knows lasts.
    readPriority: makeReadPriority({ ...deps, redis: queueRedis, namespace }),
    isThrottled: watchPriority({ ...deps, redis: queueRedis, namespace }),
  };
}
