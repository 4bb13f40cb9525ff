// The path to XP of a long-running process, joined to the other processes: when one of them lists a clan's members, all
// project their heads first.
import { makeAnnounceEvents, UNNUMBERED } from "#redis/event-signal.ts";
import { joinProjectionRequests, type ProjectionRequests } from "#redis/projection-requests.ts";
import type { Connections, ConnectionsDeps } from "#composition/open-connections.ts";
import { makeLedger, type Ledger } from "#ledger/ledger.ts";
import type { LedgerStore, MemberLock } from "#ledger/ports.ts";
import { NUMBER_EVERY_MS } from "#events/bounds.ts";
import { makeClanRules, type ClanRules } from "#clans/clan-rules.ts";

export type JoinedLedger = Ledger & Pick<ProjectionRequests, "catchUp"> & { rules: ClanRules };

/** `processId` is unique to this run of this process. `lock` replaces that of Redis. */
export function startLedger(
  deps: Omit<ConnectionsDeps, "config"> & {
    connections: Connections;
    processId: string;
    lock?: MemberLock | undefined;
    isThrottled?: () => boolean;
  },
): JoinedLedger {
  const { connections, lock = connections.lock, tracing, ...facts } = deps;
  const { ledgerStore, epochs, processes, queueRedis, namespace } = connections;
  const rules = makeClanRules({ store: connections.clans, clock: deps.clock });
  const tracer = tracing?.tracer ?? null;
  const requests = joinProjectionRequests({
    ...facts,
    publisher: queueRedis,
    subscriber: connections.openBlocking(),
    namespace,
    flush: (clanId) => ledger.projection.flush(clanId),
    oldestAgeMs: () => ledger.projection.oldestAgeMs(),
  });
  const announce = makeAnnounceEvents({ ...facts, redis: queueRedis, namespace });
  let announcedAtMs = -Infinity;
  /** Wakes the workers, which then look for events at short intervals for some time. */
  function announceEntries(): void {
    const nowMs = deps.clock.monotonicMs();
    if (nowMs - announcedAtMs < NUMBER_EVERY_MS) return;
    announcedAtMs = nowMs;
    void announce(UNNUMBERED);
  }
  const store: LedgerStore = {
    ...ledgerStore,
    async commit(entries) {
      const reached = requests.reach(new Set(entries.map(({ clanId }) => clanId)));
      const result = await ledgerStore.commit(entries);
      await reached;
      announceEntries();
      return result;
    },
  };
  const ledger = makeLedger({ ...facts, store, epochs, processes, lock, rules, random: Math.random, tracer });
  return {
    ...ledger,
    rules,
    catchUp: requests.catchUp,
    async close() {
      await ledger.close();
      requests.stop();
    },
  };
}
