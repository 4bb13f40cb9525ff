// What an operation costs MongoDB.
import type { World } from "./world.ts";

/** The commands on this collection, or on all, that MongoDB runs meanwhile, as its profiler notes them. */
export async function profiled(world: World, collection: string | null, act: () => Promise<unknown>): Promise<any[]> {
  const db = world.database.db();
  // What was profiled before.
  await db.dropCollection("system.profile").catch(() => {});
  await db.command({ profile: 2 });
  await act();
  await db.command({ profile: 0 });
  const own = collection === null ? {} : { ns: `${db.databaseName}.${collection}` };
  return await db.collection("system.profile").find(own).toArray();
}

/** The documents that the commands looked at. */
export function examinedIn(commands: readonly any[]): number {
  return commands.reduce((sum, { docsExamined = 0 }) => sum + Number(docsExamined), 0);
}
