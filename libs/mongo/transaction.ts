// Several writes in one transaction, without an audit record (audited.ts writes that, too).
import type { ClientSession, TransactionOptions } from "mongodb";
import type { Database } from "#mongo/database.ts";
import { rewrite, TRANSACTION } from "#mongo/mongo-calls.ts";

/** Retried while other transactions write the same documents. Throws AppError `unavailable`; then run it again. */
export function transaction<T>(
  { db }: Pick<Database, "db">,
  run: (session: ClientSession) => Promise<T>,
  options: TransactionOptions = TRANSACTION,
): Promise<T> {
  return rewrite(() => db().client.withSession((session) => session.withTransaction(() => run(session), options)));
}
