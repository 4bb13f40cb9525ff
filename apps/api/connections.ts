// The connections that only the API opens: the keys with their rates and budgets, and the signals that
// waiting callers need.
import { openConnections as openShared, type ConnectionsDeps } from "#composition/open-connections.ts";
import { makeBatchSignal } from "#queue/batch-signal.ts";
import { RATE_COMMAND_MS } from "#redis/bounds.ts";
import { joinEventSignal } from "#redis/event-signal.ts";
import { makeClaimPriority } from "#redis/priority-claim.ts";
import { joinPeers } from "#rate-limit/peers.ts";
import { makeRateLimiter } from "#rate-limit/rate-limiter.ts";
import { makeSharedBuckets } from "#rate-limit/shared-buckets.ts";
import { makeEventFeed } from "#events/store/event-feed.ts";
import { makeBudgetStore } from "#keys/store/budget-store.ts";
import { makeErasureStore } from "#erasure/store/erasure-store.ts";
import { makeHookStore } from "#hooks/store/hook-store.ts";
import { makeRequestStore } from "#hooks/store/request-store.ts";
import { makeKeyStore } from "#keys/store/key-store.ts";
import { makeLeaderboardStore } from "#members/store/leaderboard-store.ts";
import { makeMemberStore } from "#members/store/member-store.ts";
import { makeNameStore } from "#names/store/name-store.ts";

export type Connections = ReturnType<typeof openConnections>;

/** Opens them in the background, without waiting for MongoDB or Redis. `processName` must be unique to this process. */
export function openConnections({ processName, ...deps }: ConnectionsDeps & { processName: string }) {
  const { clock, log } = deps;
  const shared = openShared({ ...deps, name: "clanxp-api" });
  const { database, namespace, queueRedis } = shared;
  const limitRedis = shared.openFailFast({ commandMs: RATE_COMMAND_MS });
  const signal = makeBatchSignal({ redis: shared.openJobs(), namespace, log });
  const eventSignal = joinEventSignal({ subscriber: shared.openBlocking(), namespace, log });
  const peers = joinPeers({ redis: limitRedis, namespace, name: processName, log });
  const buckets = makeSharedBuckets({ redis: limitRedis, namespace, peers: peers.count, clock, log });

  return {
    ...shared,
    keys: makeKeyStore(database),
    budgets: makeBudgetStore(database),
    leaderboard: makeLeaderboardStore(database),
    members: makeMemberStore(database),
    names: makeNameStore(database),
    erasures: makeErasureStore(database),
    erasureHooks: { hooks: makeHookStore(database), requests: makeRequestStore(database) },
    limiter: makeRateLimiter({ buckets, clock }),
    signal,
    events: makeEventFeed(database),
    eventSignal,
    /** Ends every wait of a caller now. */
    wakeAll(): void {
      signal.wakeAll();
      eventSignal.wakeAll();
    },
    claimPriority: makeClaimPriority({ redis: queueRedis, namespace, clock, log }),
    async close(): Promise<void> {
      eventSignal.stop();
      await Promise.all([signal.close(), peers.leave()]);
      await shared.close();
    },
  };
}
