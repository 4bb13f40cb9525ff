// The changes whose events have no numbers yet: entries, batches and reversals, which have the flag `ev` until then, and
// the outbox.
import mongoose, { type mongo } from "mongoose";
import { memberSubject } from "#domain/change-ref.ts";
import { headAfter, type Head } from "#domain/head.ts";
import { isRejected } from "#domain/batch.ts";
import type { BatchDoc } from "#store/batches/batch-model.ts";
import type { Database } from "#store/database.ts";
import { NO_FENCE } from "#store/filters.ts";
import { entryOfDoc, UNNUMBERED_ORDER, type EntryDoc } from "#store/ledger/entry-model.ts";
import { amongIds, BY_ID } from "#store/ledger/ledger-filters.ts";
import type { OutboxDoc } from "#store/events/outbox-model.ts";
import { read, rewrite } from "#store/mongo-calls.ts";
import type { ReversalDoc } from "#store/reversals/reversal-model.ts";
import type { UnnumberedChange, UnnumberedChanges } from "#usecases/events/ports.ts";

const MAJORITY = { readConcern: { level: "majority" } } as const;
/** Without waiting for a majority or a journal: what is lost is settled again. */
const ACKNOWLEDGED = { w: 1, j: false } as const;
const OPTIONS = { writeConcern: ACKNOWLEDGED } as const;
const ENTRIES_LOOKED_AT = 200;
const FLAGGED = { ev: { $exists: true } } as const;
const COLLECTIONS = ["batches", "reversals"] as const;

export function makeUnnumberedChanges({
  db,
  interruptions,
}: Pick<Database, "db" | "interruptions">): UnnumberedChanges {
  const ledger = (): mongo.Collection<EntryDoc> => db().collection<EntryDoc>("ledger");
  const outbox = (): mongo.Collection<OutboxDoc> => db().collection<OutboxDoc>("outbox");

  /** Clans with flagged entries: one read if few entries are flagged, otherwise one for each clan. */
  async function clansOfEntries(after: string | null, limit: number): Promise<string[]> {
    const found: string[] = [];
    for (let above = after ?? ""; found.length < limit;) {
      const docs = await ledger()
        .find({ ...FLAGGED, "_id.clanId": { $gt: above } }, { ...MAJORITY, projection: { "_id.clanId": 1 } })
        .hint(UNNUMBERED_ORDER)
        .sort(UNNUMBERED_ORDER)
        .limit(ENTRIES_LOOKED_AT)
        .toArray();
      found.push(...new Set(docs.map(({ _id }) => _id.clanId)));
      if (docs.length < ENTRIES_LOOKED_AT) break;
      above = found.at(-1) ?? above;
    }
    return found.slice(0, limit);
  }

  async function clansOfOthers(after: string | null): Promise<Set<string>> {
    const options = { ...MAJORITY, sort: { clanId: 1 }, projection: { clanId: 1 }, limit: ENTRIES_LOOKED_AT } as const;
    const filter = { clanId: { $gt: after ?? "" } };
    const docs = await Promise.all([
      outbox().find(filter, options).toArray(),
      ...COLLECTIONS.map((name) =>
        db()
          .collection<{ clanId: string; ev?: true }>(name)
          .find({ ...FLAGGED, ...filter }, options)
          .toArray(),
      ),
    ]);
    return new Set(docs.flat().map(({ clanId }) => clanId));
  }

  async function listEntries(clanId: string, afterMember: string | null, limit: number): Promise<UnnumberedChange[]> {
    const docs = await ledger()
      .find(
        {
          ...FLAGGED,
          ...NO_FENCE,
          "_id.clanId": clanId,
          ...(afterMember === null ? {} : { "_id.platformId": { $gt: afterMember } }),
        },
        MAJORITY,
      )
      .hint(UNNUMBERED_ORDER)
      .sort(UNNUMBERED_ORDER)
      .limit(limit)
      .toArray();
    const before = await headsBefore(docs);
    return docs.map((doc) => ({
      kind: "entry",
      ref: { subject: memberSubject(doc._id.platformId), seq: doc._id.seq, at: doc.at },
      entry: entryOfDoc(doc),
      announced: doc.ev === 2 ? "all" : "changes",
      before: before.get(nameOf(doc._id)) ?? null,
    }));
  }

  /** By the entry that follows: only of changes that are no awards. */
  async function headsBefore(docs: readonly EntryDoc[]): Promise<ReadonlyMap<string, Head>> {
    const ids = docs
      .filter(({ kind }) => kind === "membership" || kind === "appointment")
      .map(({ _id: { clanId, platformId, seq } }) => ({ clanId, platformId, seq: seq - 1 }));
    if (ids.length === 0) return new Map();
    const found = await ledger()
      .find(amongIds(ids), { ...MAJORITY, hint: BY_ID })
      .toArray();
    return new Map(
      found.flatMap((doc) => {
        const head = headAfter(entryOfDoc(doc));
        return head ? [[nameOf({ ...doc._id, seq: doc._id.seq + 1 }), head]] : [];
      }),
    );
  }

  async function listOthers(clanId: string, limit: number): Promise<UnnumberedChange[]> {
    const options = { ...MAJORITY, sort: { _id: 1 }, limit } as const;
    const [batches, reversals, records] = await Promise.all([
      db()
        .collection<BatchDoc>("batches")
        .find({ ...FLAGGED, clanId }, options)
        .toArray(),
      db()
        .collection<ReversalDoc>("reversals")
        .find({ ...FLAGGED, clanId }, options)
        .toArray(),
      outbox().find({ clanId }, options).toArray(),
    ]);
    return [
      ...batches.map(changeOfBatch),
      ...reversals.map(changeOfReversal),
      ...records.map(({ _id, at, event }): UnnumberedChange => {
        return { kind: "other", ref: { subject: `${OUTBOX}${_id.toHexString()}`, seq: 0, at }, event };
      }),
    ];
  }

  return {
    clans: (after, limit) =>
      read(async () => {
        const [ofEntries, ofOthers] = await Promise.all([clansOfEntries(after, limit), clansOfOthers(after)]);
        const all = [...new Set([...ofEntries, ...ofOthers])].toSorted().slice(0, limit);
        return all.map((clanId) => ({ clanId, hasOthers: ofOthers.has(clanId) }));
      }),

    list: ({ clanId, hasOthers }, { afterMember, limit }) =>
      read(async () => {
        const [entries, others] = await Promise.all([
          listEntries(clanId, afterMember, limit),
          hasOthers ? listOthers(clanId, limit) : [],
        ]);
        return [...entries, ...others].slice(0, limit);
      }),

    settle: (clanId, changes, end) =>
      rewrite(async () => {
        if (interruptions() !== end.interruptions) return;
        const idsIn = (prefix: string): string[] =>
          changes.flatMap(({ ref: { subject } }) => (subject.startsWith(prefix) ? [subject.slice(prefix.length)] : []));
        const entries = changes.flatMap((change) => (change.kind === "entry" ? [change.entry] : []));
        await Promise.all([
          // By its time too: after an erasure, a new entry may have the number of one that was deleted.
          entries.length > 0 &&
            ledger().bulkWrite(
              entries.map(({ platformId, seq, at }) => ({
                updateOne: {
                  filter: { _id: { clanId, platformId, seq }, "_id.clanId": clanId, "_id.platformId": platformId, at },
                  update: { $unset: { ev: "" } },
                },
              })),
              { ordered: false, writeConcern: ACKNOWLEDGED },
            ),
          ...COLLECTIONS.map(
            (name) =>
              idsIn(PREFIX[name]).length > 0 &&
              db()
                .collection<{ _id: string; ev?: true }>(name)
                .updateMany({ _id: { $in: idsIn(PREFIX[name]) } }, { $unset: { ev: "" } }, OPTIONS),
          ),
          idsIn(OUTBOX).length > 0 &&
            outbox().deleteMany({ _id: { $in: idsIn(OUTBOX).map((id) => new mongoose.mongo.ObjectId(id)) } }, OPTIONS),
        ]);
      }),
  };
}

const OUTBOX = "outbox/";
const PREFIX = { batches: "batch/", reversals: "reversal/" } as const;

function nameOf({ platformId, seq }: EntryDoc["_id"]): string {
  return `${platformId}/${seq}`;
}

function changeOfBatch({
  _id: batchId,
  outcomes = [],
  appliedOnce,
  createdAt,
  finishedAt,
}: BatchDoc): UnnumberedChange {
  const rejected = outcomes.filter(isRejected).length;
  const at = finishedAt ?? createdAt;
  const data = { batchId, applied: appliedOnce ?? outcomes.length - rejected, rejected, createdAt, finishedAt: at };
  return {
    kind: "other",
    ref: { subject: `${PREFIX.batches}${batchId}`, seq: 0, at },
    event: { type: "batch.done", data },
  };
}

function changeOfReversal({ _id, selected, reversed, skipped, createdAt, finishedAt }: ReversalDoc): UnnumberedChange {
  const at = finishedAt ?? createdAt;
  const data = { reversalId: _id, selected, reversed, skipped, createdAt, finishedAt: at };
  return {
    kind: "other",
    ref: { subject: `${PREFIX.reversals}${_id}`, seq: 0, at },
    event: { type: "reversal.done", data },
  };
}
