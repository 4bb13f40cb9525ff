// What MongoDB's reply to an ordered insert of entries says about them.
import type { Document } from "mongodb";
import { failureOfDocument } from "#mongo/mongo-errors.ts";
import type { CommitResult } from "#ledger/ports.ts";

/** `keyPattern`: the fields of the unique index that has the key already. */
type WriteError = { index: number; code: number; errmsg: string; keyPattern?: Document };

export function commitResultOf(reply: Document): CommitResult {
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
    case "unknown":
      return { kind, cause };
  }
}
