// Writes of an erasure, each in a transaction with its record, and none once that is finished. A process may be stopped
// between any two of its steps, and MongoDB may execute late what it was sent: by then there may be new awards, batches
// and reversals of the same player.
import type { ClientSession } from "mongoose";
import type { Database } from "#store/database.ts";
import type { ErasureDoc } from "#store/erasure-model.ts";
import { rewrite } from "#store/mongo-calls.ts";

const TRANSACTION = { readConcern: { level: "snapshot" }, writeConcern: { w: "majority", j: true } } as const;

/** Null: the erasure is finished, and nothing was written. */
export type WhileOpen = <T>(erasureId: string, write: (session: ClientSession) => Promise<T>) => Promise<T | null>;

export function makeWhileOpen({ connection, db }: Pick<Database, "connection" | "db">): WhileOpen {
  return function whileOpen<T>(erasureId: string, write: (session: ClientSession) => Promise<T>): Promise<T | null> {
    async function run(session: ClientSession): Promise<T | null> {
      const open = { _id: erasureId, finishedAt: null };
      const alive = { $currentDate: { aliveAt: true } } as const;
      // Written to, so that of this and the end of the erasure one waits for the other.
      const { matchedCount } = await db().collection<ErasureDoc>("erasures").updateOne(open, alive, { session });
      return matchedCount === 1 ? write(session) : null;
    }
    return rewrite(() =>
      connection.getClient().withSession((session) => session.withTransaction(() => run(session), TRANSACTION)),
    );
  };
}
