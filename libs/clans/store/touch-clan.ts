// For changes of what belongs to a clan and lies in other documents: its keys, and people's roles in it.
import type { ClientSession } from "mongodb";
import { AppError } from "#kernel/app-error.ts";
import type { ClanDoc } from "#clans/store/clan-model.ts";
import type { Database } from "#mongo/database.ts";

/**
 * In the transaction of the change, which thereby conflicts with every other such change of the clan, and with its
 * deletion. False if the clan was deleted.
 */
export async function touchIfStored(
  { db }: Pick<Database, "db">,
  clanId: string,
  session: ClientSession,
): Promise<boolean> {
  const clans = db().collection<ClanDoc>("clans");
  return (await clans.updateOne({ _id: clanId }, { $inc: { rev: 1 } }, { session })).matchedCount === 1;
}

/** The same, but throws AppError `not_found` if the clan was deleted. */
export async function touchClan(database: Pick<Database, "db">, clanId: string, session: ClientSession): Promise<void> {
  if (!(await touchIfStored(database, clanId, session)))
    throw new AppError("not_found", `The clan ${clanId} was deleted. Nothing was changed.`);
}
