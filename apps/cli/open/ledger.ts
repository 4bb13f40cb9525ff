// The ledger for a command: as in an API, without Redis. Close it, so that its commits are projected.
import { noLock } from "#lock/no-lock.ts";
import { makeIds } from "#process/ids.ts";
import { makeCounters } from "#telemetry/metrics/counters.ts";
import { makeLedger, type Ledger } from "#ledger/ledger.ts";
import { makeClanRules } from "#clans/clan-rules.ts";
import type { EpochStore, LedgerStore, ProcessStore } from "#ledger/ports.ts";
import type { ClanStore } from "#clans/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Ids } from "#kernel/ids.ts";
import type { ChangeDeps } from "#members/submit-changes.ts";
import type { Cli } from "../cli.ts";
import { silentLog } from "./servers.ts";

export function openLedger(deps: {
  ledgerStore: LedgerStore;
  clans: Pick<ClanStore, "read">;
  epochs: EpochStore;
  processes: ProcessStore;
  clock: Clock;
  isThrottled?: () => boolean;
}): { committer: Ledger; store: LedgerStore; close: Ledger["close"] } {
  const { ledgerStore: store, clans, epochs, processes, clock, isThrottled = () => false } = deps;
  const ledger = makeLedger({
    store,
    epochs,
    processes,
    processId: makeIds(clock).award(),
    lock: noLock,
    rules: makeClanRules({ store: clans, clock }),
    clock,
    random: Math.random,
    isThrottled,
    meter: makeCounters(),
    log: silentLog,
  });
  return { committer: ledger, store, close: ledger.close };
}

/**
 * For a command that changes members: with the clans and the ledger, which is closed in any case. `isThrottled`: many
 * changes, which must leave capacity of MongoDB to other awards.
 */
export async function withChanges<T>(
  cli: Cli,
  run: (deps: ChangeDeps & { clans: ClanStore; ids: Ids }) => Promise<T>,
  { isThrottled = false }: { isThrottled?: boolean } = {},
): Promise<T> {
  const stores = await cli.servers.preparedStores();
  const ledger = openLedger({ ...stores, clock: cli.clock, isThrottled: () => isThrottled });
  try {
    return await run({ ...ledger, clans: stores.clans, ids: makeIds(cli.clock) });
  } finally {
    await ledger.close();
  }
}
