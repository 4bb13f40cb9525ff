// The only writer of XP: entries and heads of one flight, in one transaction. One oplog entry and one journal sync carry them all.
import mongoose, { type ClientSession, type mongo } from "mongoose";
import type { Award, Entry } from "#domain/award.ts";
import type { Head } from "#domain/member.ts";
import { ANSWER_MS_MAX, COMMIT_TRIES_MAX } from "#store/bounds.ts";
import type { Database } from "#store/database.ts";
import { docOfEntry, entryOfDoc, headOfDoc } from "#store/documents.ts";
import { failureInTransaction, hasLabel, readInTime, settled } from "#store/failure.ts";
import type { EntryDoc, MemberDoc } from "#store/models.ts";
import { memberIdOf, type AwardStore, type CommitResult, type MemberCommit, type MemberId, type MemberRef } from "#usecases/ports.ts";

const { MongoServerError } = mongoose.mongo;

export function makeAwardStore({ connection, db }: Pick<Database, "connection" | "db">): AwardStore {
  function readHeads(refs: readonly MemberRef[]): Promise<Map<MemberId, Head>> {
    return readInTime(async () => {
      const ids = [...new Set(refs.map(memberIdOf))];
      if (ids.length === 0) return new Map<MemberId, Head>();
      // Majority: the commit's guard supposes that this head cannot be rolled back. One batch: no second round trip. As a plain command:
      // the driver's cursor costs a twelfth of what a lone award costs (measured). A command does not go by the client's useBigInt64.
      const query = { find: "members", filter: { _id: { $in: ids } }, batchSize: ids.length + 1, singleBatch: true };
      const reply = await db().command({ ...query, readConcern: { level: "majority" }, maxTimeMS: ANSWER_MS_MAX }, { useBigInt64: true });
      const { firstBatch } = reply["cursor"] as { firstBatch: MemberDoc[] };
      return new Map(firstBatch.map((doc) => [memberIdOf(doc), headOfDoc(doc)]));
    });
  }

  function readEntries(awards: readonly Award[]): Promise<Map<MemberId, Map<string, Entry>>> {
    return readInTime(async () => {
      const found = new Map<MemberId, Map<string, Entry>>();
      for (const [clanId, ofClan] of Map.groupBy(awards, (award) => award.clanId)) {
        // A little wider than asked (each member with each key), but one walk over the unique index; keys are looked up exactly.
        const filter = {
          "_id.clanId": clanId,
          "_id.platformId": { $in: [...new Set(ofClan.map((award) => award.platformId))] },
          key: { $in: [...new Set(ofClan.map((award) => award.key))] },
        };
        // Majority: a replay must never be answered from an entry that could still be rolled back.
        const cursor = db()
          .collection<EntryDoc>("ledger")
          .find(filter, { readConcern: { level: "majority" }, maxTimeMS: ANSWER_MS_MAX });
        for await (const doc of cursor) {
          const entry = entryOfDoc(doc);
          const id = memberIdOf(entry);
          const ofMember = found.get(id) ?? new Map<string, Entry>();
          found.set(id, ofMember.set(entry.key, entry));
        }
      }
      return found;
    });
  }

  /** How many documents it wrote or matched. As plain commands: the driver's bulk writes cost a tenth of all that a flight costs (measured). */
  async function write(command: mongo.Document, session: ClientSession): Promise<number> {
    const reply = (await settled(db().command(command, { session }))) as { n: number; writeErrors?: mongo.ErrorDescription[] };
    const [error] = reply.writeErrors ?? [];
    if (error) throw new MongoServerError(error);
    return reply.n;
  }

  async function commit(commits: readonly MemberCommit[]): Promise<CommitResult> {
    const session = connection.getClient().startSession();
    let finished: Promise<unknown> = Promise.resolve();
    try {
      session.startTransaction({ writeConcern: { w: "majority", journal: true } });
      await write({ insert: "ledger", documents: commits.flatMap((member) => member.entries.map(docOfEntry)) }, session);
      const heads = await write({ update: "members", updates: commits.map(moveHead) }, session);
      if (heads === commits.length) return await commitTransaction(session);
      finished = settled(session.abortTransaction());
      await finished;
      return { kind: "conflict", cause: new Error("a head moved on since it was read") };
    } catch (error) {
      const kind = failureInTransaction(error);
      // The server has aborted it already, or will when it hears of it; without a server there is nothing to wait for.
      finished = session.inTransaction() ? settled(session.abortTransaction()).catch(() => {}) : finished;
      if (kind !== "unavailable") await finished;
      return { kind, cause: error };
    } finally {
      void finished
        .catch(() => {})
        .then(() => session.endSession())
        .catch(() => {});
    }
  }

  return { readHeads, readEntries, commit };
}

/**
 * Moves one head. What guards it is the entry beside it: whoever moved the head since it was read has written an entry under the
 * same `_id`. So the filter is `_id` alone, which MongoDB finds without planning a query (measured: a quarter of a commit's cost).
 */
function moveHead({ clanId, platformId, before, after }: MemberCommit): {
  q: mongo.Filter<MemberDoc>;
  u: mongo.UpdateFilter<MemberDoc>;
  upsert: boolean;
} {
  // A membership created elsewhere writes no entry, so the one made here must find none.
  const joins = after.membership !== null && !before?.membership;
  return {
    q: { _id: memberIdOf({ clanId, platformId }), ...(joins ? { membership: null } : {}) },
    u: {
      $set: { xp: after.xp, seq: after.seq, ...(joins ? { membership: after.membership } : {}) },
      ...(before ? {} : { $setOnInsert: { clanId, platformId, appointedRank: null, ...(joins ? {} : { membership: null }) } }),
    },
    upsert: before === null,
  };
}

async function commitTransaction(session: ClientSession): Promise<CommitResult> {
  for (let tries = 1; ; tries += 1) {
    try {
      await settled(session.commitTransaction());
      return { kind: "committed" };
    } catch (error) {
      const unknown = hasLabel(error, "UnknownTransactionCommitResult");
      if (!unknown && hasLabel(error, "TransientTransactionError")) return { kind: "conflict", cause: error };
      if (!unknown || tries >= COMMIT_TRIES_MAX) return { kind: "unknown", cause: error };
    }
  }
}
