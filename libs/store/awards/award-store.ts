// The only writer of the ledger. A commit is one ordered insert: MongoDB writes its entries in order and stops at the
// first one that it cannot write, so a prefix of the entries is committed.
//
// Two unique indexes ensure that an award is applied exactly once: an entry's `_id` (clan, member, seq) makes a
// member's entries a chain, and its key can be stored only once.
import type { mongo } from "mongoose";
import type { Entry } from "#domain/entry.ts";
import type { Database } from "#store/database.ts";
import { docOfEntry } from "#store/awards/entry-model.ts";
import { bounded } from "#store/mongo-calls.ts";
import { makeHeadProjection } from "#store/projection/head-projection.ts";
import { failureOfDocument, failureOfInsert } from "#store/mongo-errors.ts";
import { makeReadEntries } from "#store/awards/read-entries.ts";
import { makeHeadReads } from "#store/awards/read-heads.ts";
import type { AwardStore, CommitResult } from "#usecases/awards/ports.ts";
import type { HeadRebuild } from "#usecases/projection/ports.ts";

/** `keyPattern`: the fields of the unique index that has the key already. */
type WriteError = { index: number; code: number; errmsg: string; keyPattern?: mongo.Document };

export function makeAwardStore({ db }: Pick<Database, "db">): AwardStore & HeadRebuild {
  const headReads = makeHeadReads({ db });

  async function commit(entries: readonly Entry[]): Promise<CommitResult> {
    let reply: mongo.Document;
    try {
      // As a plain command: the driver's bulk writes take a tenth of a flight's total cost (measured).
      const insert = { insert: "ledger", documents: entries.map(docOfEntry), ordered: true };
      reply = await bounded(db().command({ ...insert, writeConcern: { w: "majority", j: true } }));
    } catch (error) {
      const kind = failureOfInsert(error);
      if (kind === "unknown") return { kind, cause: error };
      return kind === "rejected" ? { kind, stored: 0, alone: false, cause: error } : { kind, stored: 0, cause: error };
    }
    // MongoDB also waits for the majority after a write error (after a duplicate key, for everything written before
    // it). If that wait failed, the entries before the error may be rolled back, too.
    if (reply["writeConcernError"]) return { kind: "unknown", cause: reply["writeConcernError"] };
    const [error] = (reply["writeErrors"] ?? []) as WriteError[];
    if (!error) return { kind: "committed" };
    const [kind, stored, cause] = [
      failureOfDocument(error.code),
      error.index,
      new Error(`${error.code}: ${error.errmsg}`),
    ];
    switch (kind) {
      case "rejected":
        return { kind, stored, alone: true, cause };
      case "conflict":
        return { kind, over: error.keyPattern?.["key"] ? "key" : "seq", stored, cause };
      case "unavailable":
        return { kind, stored, cause };
    }
  }

  return {
    ...headReads,
    ...makeHeadProjection({ db, readHeads: headReads.readHeads }),
    readEntries: makeReadEntries({ db }),
    commit,
  };
}
