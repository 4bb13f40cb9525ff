// The award pipeline for a command: as in an API, without Redis. Close it, so that its commits are projected.
import { noLock } from "#lock/no-lock.ts";
import { makeIds } from "#runtime/process/ids.ts";
import { makeTally } from "#runtime/metrics/tally.ts";
import { makeAwardPipeline, type AwardPipeline } from "#usecases/awards/award-pipeline.ts";
import { makeClanRules } from "#usecases/clans/clan-rules.ts";
import type { AwardStore, EpochStore } from "#usecases/awards/ports.ts";
import type { ClanStore } from "#usecases/clans/ports.ts";
import type { ProcessStore } from "#usecases/projection/ports.ts";
import type { Clock } from "#usecases/ports.ts";
import type { ChangeWorld } from "#usecases/members/submit-changes.ts";
import type { Cli } from "../cli.ts";
import { silentLog } from "./servers.ts";

export function openPipeline(world: {
  awards: AwardStore;
  clans: Pick<ClanStore, "read">;
  epochs: EpochStore;
  processes: ProcessStore;
  clock: Clock;
  isThrottled?: () => boolean;
}): AwardPipeline & { store: AwardStore } {
  const { awards: store, clans, epochs, processes, clock, isThrottled = () => false } = world;
  const pipeline = makeAwardPipeline({
    store,
    epochs,
    processes,
    processId: makeIds(clock).award(),
    lock: noLock,
    rules: makeClanRules({ store: clans, clock }),
    clock,
    random: Math.random,
    isThrottled,
    meter: makeTally(),
    log: silentLog,
  });
  return { ...pipeline, store };
}

/**
 * For a command that changes members: with the clans and the pipeline, which is closed in any case. `isThrottled`: many
 * changes, which must leave capacity of MongoDB to other awards.
 */
export async function withChanges<T>(
  cli: Cli,
  run: (world: ChangeWorld & { clans: ClanStore }) => Promise<T>,
  { isThrottled = false }: { isThrottled?: boolean } = {},
): Promise<T> {
  const stores = await cli.servers.preparedStores();
  const pipeline = openPipeline({ ...stores, clock: cli.clock, isThrottled: () => isThrottled });
  try {
    return await run({ ...pipeline, clans: stores.clans, ids: makeIds(cli.clock) });
  } finally {
    await pipeline.close();
  }
}
