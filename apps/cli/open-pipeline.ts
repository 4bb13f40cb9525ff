// The path to XP for a command: as in an API, without Redis. Close it, so that its commits are projected.
import { noLock } from "#lock/no-lock.ts";
import { makeIds } from "#runtime/process/ids.ts";
import { makeTally } from "#runtime/metrics/tally.ts";
import type { Database } from "#store/database.ts";
import { makeAwardPipeline, type AwardPipeline } from "#usecases/awards/award-pipeline.ts";
import { makeClanRules } from "#usecases/clans/clan-rules.ts";
import type { AwardStore } from "#usecases/awards/ports.ts";
import type { ClanStore } from "#usecases/clans/ports.ts";
import type { Clock } from "#usecases/ports.ts";
import { silentLog } from "./servers.ts";

export async function openPipeline(world: {
  database: Pick<Database, "db">;
  clans: Pick<ClanStore, "read">;
  clock: Clock;
  isThrottled?: () => boolean;
}): Promise<AwardPipeline & { store: AwardStore }> {
  const { database, clans, clock, isThrottled = () => false } = world;
  // Loaded on demand, because most commands need neither.
  const [{ makeAwardStore }, { makeEpochStore }, { makeProcessStore }] = await Promise.all([
    import("#store/awards/award-store.ts"),
    import("#store/projection/epoch-store.ts"),
    import("#store/projection/process-store.ts"),
  ]);
  const store = makeAwardStore(database);
  const pipeline = makeAwardPipeline({
    store,
    epochs: makeEpochStore(database),
    processes: makeProcessStore(database),
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
