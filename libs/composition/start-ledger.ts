// The path to XP of a long-running process, joined to the other processes: when one of them lists a clan's members, all
// project their heads first.
import { repeat } from "#async/repeat.ts";
import { joinProjectionRequests, type ProjectionRequests } from "#redis/projection-requests.ts";
import type { Connections, ConnectionsWorld } from "#composition/open-connections.ts";
import { EPOCH_FOLLOW_MS } from "#ledger/bounds.ts";
import { makeAwardPipeline, type AwardPipeline } from "#ledger/ledger.ts";
import type { AwardStore, MemberLock } from "#ledger/ports.ts";
import { makeClanRules, type ClanRules } from "#usecases/clans/clan-rules.ts";

export type Committing = AwardPipeline & Pick<ProjectionRequests, "catchUp"> & { rules: ClanRules };

/** `processId` is unique to this run of this process. `lock` replaces that of Redis. */
export function startCommitting(
  world: Omit<ConnectionsWorld, "config"> & {
    connections: Connections;
    processId: string;
    lock?: MemberLock | undefined;
    isThrottled?: () => boolean;
  },
): Committing {
  const { connections, lock = connections.lock, tracing, ...facts } = world;
  const { awards, epochs, processes, queueRedis, namespace } = connections;
  const rules = makeClanRules({ store: connections.clans, clock: world.clock });
  const tracer = tracing?.tracer ?? null;
  const requests = joinProjectionRequests({
    ...facts,
    publisher: queueRedis,
    subscriber: connections.openBlocking(),
    namespace,
    flush: (clanId) => pipeline.projector.flush(clanId),
    oldestAgeMs: () => pipeline.projector.oldestAgeMs(),
  });
  const store: AwardStore = {
    ...awards,
    async commit(entries) {
      const reached = requests.reach(new Set(entries.map(({ clanId }) => clanId)));
      const result = await awards.commit(entries);
      await reached;
      return result;
    },
  };
  const pipeline = makeAwardPipeline({ ...facts, store, epochs, processes, lock, rules, random: Math.random, tracer });
  const following = repeat(EPOCH_FOLLOW_MS, pipeline.followEpoch, (error) =>
    world.log.debug({ err: error }, "epoch.read_failed"),
  );
  return {
    ...pipeline,
    rules,
    catchUp: requests.catchUp,
    async close() {
      await Promise.all([following.stop(), pipeline.close()]);
      requests.stop();
    },
  };
}
