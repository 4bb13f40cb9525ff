// The only writer of the ledger, and of the heads that are projected from it. A commit is one ordered insert: MongoDB
// writes its entries in order and stops at the first one that it cannot write, so a prefix of the entries is committed.
//
// Exactly-once rests on two unique indexes. An entry's `_id` (clan, member, seq) makes a member's entries a chain, and
// its key counts once.
import mongoose, { type mongo } from "mongoose";
import type { Entry } from "#domain/award.ts";
import type { Head } from "#domain/member.ts";
import type { Database } from "#store/database.ts";
import { docOfEntry } from "#store/documents.ts";
import { bounded, rewrite } from "#store/mongo-calls.ts";
import { failureOfDocument, failureOfInsert } from "#store/mongo-errors.ts";
import type { MemberDoc } from "#store/models.ts";
import { makeReadEntries } from "#store/read-entries.ts";
import { makeHeadReads } from "#store/read-heads.ts";
import { memberIdOf, memberRefOf, type MemberId } from "#domain/member-id.ts";
import type { AwardStore, CommitResult, Heads } from "#usecases/awards/ports.ts";
import type { HeadRebuild } from "#usecases/members/ports.ts";

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
    const [error] = (reply["writeErrors"] ?? []) as { index: number; code: number; errmsg: string }[];
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
      case "unavailable":
        return { kind, stored, cause };
    }
  }

  /** Returns how many documents changed. */
  async function update(updates: readonly mongo.Document[]): Promise<number> {
    if (updates.length === 0) return 0;
    // Lists are read from what a majority holds: only then is the document updated for them.
    const reply = await db().command({ update: "members", updates, ordered: false, writeConcern: { w: "majority" } });
    const [error] = (reply["writeErrors"] ?? []) as { code: number; errmsg: string }[];
    if (error ?? reply["writeConcernError"]) throw new Error(`not projected: ${error?.code} ${error?.errmsg}`);
    return Number(reply["nModified"]) + ((reply["upserted"] ?? []) as unknown[]).length;
  }

  return {
    ...headReads,
    readEntries: makeReadEntries({ db }),
    commit,
    project: (heads) => rewrite(async () => void (await update(projectable(heads).map(forwardTo)))),
    rebuild: (members) =>
      rewrite(async () => {
        const filter = { _id: { $in: members.map(memberIdOf) } };
        const found = new Map<string, MemberDoc>();
        for await (const doc of db().collection<MemberDoc>("members").find(filter)) found.set(doc._id, doc);
        // Read after the documents, so that it is as new as they are, unless they are wrong.
        const heads = await headReads.readHeads(members);
        const updates = projectable(heads).flatMap(([id, head]) => {
          const doc = found.get(id);
          if (doc?.seq === undefined) return [forwardTo([id, head])];
          if (textOf(doc) === textOf(docOf(id, head))) return [];
          // Replaces the document only if it is unchanged: a document that has moved meanwhile was updated from the
          // ledger.
          return [{ q: { _id: id, seq: doc.seq }, u: docOf(id, head) }];
        });
        return await update(updates);
      }),
  };
}

/** Only the erasure writes the document of a member who is being erased: another write could arrive after its end. */
function projectable(heads: Heads): [MemberId, Head][] {
  return [...heads].filter(([, { erasing }]) => !erasing);
}

function forwardTo([id, head]: readonly [MemberId, Head]): mongo.Document {
  return { q: { _id: id }, u: [{ $replaceWith: unlessNewer(id, head) }], upsert: true };
}

function docOf(id: MemberId, { xp, seq, membership, appointedRank, removed }: Head): MemberDoc {
  return { _id: id, ...memberRefOf(id), xp, seq, membership, appointedRank, ...(removed ? { removed } : {}) };
}

/** Compares types and values in any order of the fields: version 0.1.0 used another order. */
function textOf(doc: MemberDoc): string {
  const fields = Object.entries(doc).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return mongoose.mongo.BSON.EJSON.stringify(Object.fromEntries(fields), { relaxed: false });
}

/**
 * The member's new document, unless the stored one is as new. The filter is `_id` alone, which MongoDB finds without
 * planning a query.
 */
function unlessNewer(id: MemberId, head: Head): mongo.Document {
  // A literal, because names of ranks are arbitrary text.
  return { $cond: [{ $gte: ["$seq", head.seq] }, "$$ROOT", { $literal: docOf(id, head) }] };
}
