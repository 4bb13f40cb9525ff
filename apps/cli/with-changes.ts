// Runs a command that changes members with the clans and the award pipeline, which is closed in any case.
import { makeIds } from "#runtime/process/ids.ts";
import type { ClanStore } from "#usecases/clans/ports.ts";
import type { ChangeWorld } from "#usecases/members/submit-changes.ts";
import type { Cli } from "./cli.ts";
import { openPipeline } from "./open-pipeline.ts";

/** `isThrottled`: many changes, which must leave capacity of MongoDB to other awards. */
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
