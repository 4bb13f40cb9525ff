// The end of every fault test: callers' memories, ledger and books must agree. Whatever does not is named.
import type { Entry } from "#domain/award.ts";
import { makeBooks } from "#store/books-store.ts";
import type { Database } from "#store/database.ts";
import { entryOfDoc } from "#store/documents.ts";
import type { EntryDoc } from "#store/models.ts";
import { makeReconcile } from "#usecases/reconcile.ts";
import { batchDisagreements, disagreements } from "./history.ts";
import type { Seen } from "./load.ts";

export async function ledgerOf(database: Pick<Database, "db">, clanId: string): Promise<Entry[]> {
  return (await database.db().collection<EntryDoc>("ledger").find({ "_id.clanId": clanId }).toArray()).map(entryOfDoc);
}

/** Empty when every promise to this clan's callers was kept. */
export async function violations(database: Pick<Database, "db" | "connection">, clanId: string, seen: Seen): Promise<string[]> {
  const ledger = await ledgerOf(database, clanId);
  const single = ledger.filter((entry) => entry.batchId === undefined);
  const { differences } = await makeReconcile({ books: makeBooks(database) })({ clanId });
  return [
    ...disagreements(seen.awards, single),
    ...batchDisagreements(seen.batches, ledger),
    ...differences.map((difference) => JSON.stringify(difference)),
  ];
}
