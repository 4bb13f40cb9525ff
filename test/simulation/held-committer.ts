// A committer over a store that delays a commit until the test releases it, and an award for it.
import { callerAwardKey } from "#domain/award-key.ts";
import { XP_MAX } from "#domain/bounds.ts";
import type { Clan } from "#domain/clan.ts";
import { makeCounters } from "#telemetry/metrics/counters.ts";
import { makeLedger, type Ledger } from "#ledger/ledger.ts";
import { pause } from "#async/pause.ts";
import { makeClanRules } from "#clans/clan-rules.ts";
import { noLock } from "#lock/no-lock.ts";
import type { LedgerStore, MemberLock, ProcessStore } from "#ledger/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import { chanceOf } from "../support/chance.ts";
import { seedOfRun } from "../support/seed.ts";
import { makeFakeStore } from "./fake-store.ts";
import { silentLog as log } from "../support/silent-log.ts";

export const autoClan: Clan = {
  clanId: "c",
  name: "C",
  autoClan: true,
  ranks: [],
  xpFloor: 0n,
  xpCap: XP_MAX,
  amountMax: 1_000,
};
export const DEADLINE_MS = 10_000;
/** Goes with the timers, where a test makes time go faster. */
const clock: Clock = { now: () => new Date(), monotonicMs: () => Date.now(), agingMs: () => Date.now() };

/**
 * A committer whose commits of the member "held" wait for `release`; `commits` contains the members of each commit, in
 * order.
 */
export function makeHeldCommitter(
  changes: {
    store?: LedgerStore;
    lock?: MemberLock;
    clan?: Clan;
    isThrottled?: () => boolean;
    slowMs?: number;
    onRead?: (of: string) => void;
    epoch?: () => string;
    processes?: Pick<ProcessStore, "note" | "remove" | "interruptions">;
  } = {},
): {
  committer: Pick<Ledger, "submit">;
  commits: string[][];
  release: () => void;
  close: () => Promise<void>;
} {
  const {
    store = makeFakeStore(),
    lock = noLock,
    clan = autoClan,
    isThrottled = () => false,
    slowMs = 0,
    onRead = () => {},
    epoch = () => "1",
    processes = { note: async (_, { number }) => number - 1, interruptions: () => 0, remove: async () => {} },
  } = changes;
  const commits: string[][] = [];
  const held = Promise.withResolvers<void>();
  const commit: LedgerStore["commit"] = async (entries) => {
    commits.push(entries.map(({ platformId }) => platformId));
    if (entries.some(({ platformId }) => platformId === "held")) await held.promise;
    return store.commit(entries);
  };
  const ledger = makeLedger({
    store: {
      ...store,
      commit,
      readEntries(awards, options) {
        onRead("keys");
        return store.readEntries(awards, options);
      },
    },
    epochs: {
      async read() {
        await pause(slowMs);
        onRead("epoch");
        return epoch();
      },
    },
    processes,
    processId: "p",
    lock,
    rules: makeClanRules({ store: { read: () => pause(slowMs).then(() => new Map([[clan.clanId, clan]])) }, clock }),
    clock,
    random: chanceOf(seedOfRun()).next,
    meter: makeCounters(),
    isThrottled,
    log,
  });
  return { committer: ledger, commits, release: held.resolve, close: ledger.close };
}

export function award(
  committer: Pick<Ledger, "submit">,
  platformId: string,
  key = platformId,
  deadlineMs = DEADLINE_MS,
): ReturnType<Ledger["submit"]> {
  return committer.submit(
    { clanId: "c", platformId, amount: 1n, key: callerAwardKey(key), fingerprint: "sha", apiKeyId: "k" },
    deadlineMs,
  );
}
