// Writes of an erasure, each in a transaction with its record, and none after it is finished. A process may be stopped
// between any two of its steps, and MongoDB may execute a command late: by then the player may have new awards, batches
// and reversals.
import type { ClientSession } from "mongodb";
import type { Database } from "#mongo/database.ts";
import { ALIVE } from "#mongo/claims.ts";
import type { ErasureDoc } from "#erasure/store/erasure-model.ts";
import { transaction } from "#mongo/transaction.ts";

/**
 * `write` returns how many documents it wrote; the record counts them. Null: the erasure is finished, and nothing was
 * written.
 */
export type WhileOpen = (
  erasureId: string,
  counted: "batches" | "reversals",
  write: (session: ClientSession) => Promise<number>,
) => Promise<number | null>;

export function makeWhileOpen({ db }: Pick<Database, "db">): WhileOpen {
  return function whileOpen(erasureId, counted, write) {
    async function run(session: ClientSession): Promise<number | null> {
      const open = { _id: erasureId, finishedAt: null };
      // Written to, so that this transaction conflicts with the end of the erasure.
      const erasures = db().collection<ErasureDoc>("erasures");
      const { matchedCount } = await erasures.updateOne(open, ALIVE, { session });
      if (matchedCount === 0) return null;
      const written = await write(session);
      if (written > 0)
        await erasures.updateOne({ _id: erasureId }, { $inc: { [`counts.${counted}`]: written } }, { session });
      return written;
    }
    return transaction({ db }, run);
  };
}
