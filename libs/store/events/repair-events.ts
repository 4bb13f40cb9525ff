// Finds changes that have events and no flag, and flags them again (libs/usecases/events/repair-events.ts).
import type { mongo } from "mongoose";
import { chunks } from "#async/chunks.ts";
import { memberSubject } from "#domain/change-ref.ts";
import type { Announced } from "#domain/entry.ts";
import { eventsOfEntry } from "#domain/events-of-entry.ts";
import { headAfter, type Head } from "#domain/head.ts";
import { endsMembership } from "#domain/membership.ts";
import type { BatchDoc } from "#store/batches/batch-model.ts";
import type { Database } from "#store/database.ts";
import type { EventDoc } from "#store/events/event-model.ts";
import { between, MAJORITY } from "#store/events/positions.ts";
import { NO_FENCE } from "#store/filters.ts";
import { entryOfDoc, type EntryDoc } from "#store/ledger/entry-model.ts";
import { amongIds, BY_ID, idsOfMember } from "#store/ledger/ledger-filters.ts";
import { read, rewrite } from "#store/mongo-calls.ts";
import type { ReversalDoc } from "#store/reversals/reversal-model.ts";
import type { EventRepair, SettledChange } from "#usecases/events/ports.ts";

/** Entries in one read, and changes in one group, whose events are looked up together. */
const ENTRIES_PER_GROUP = 200;

const SETTLED = { ev: { $exists: false } } as const;
/** Keys of imported changes (libs/domain/award-key.ts). */
const NOT_IMPORTED = { key: { $not: /^imp\// } } as const;
const CHANGES: mongo.Document[] = [
  { $set: { moved: { $ne: ["$rank", "$previousRank"] } } },
  { $match: { $or: [{ moved: true }, { membershipCreated: true }, { kind: "membership" }] } },
];
const RUNS = [
  { name: "batches", prefix: "batch/", type: "batch.done" },
  { name: "reversals", prefix: "reversal/", type: "reversal.done" },
] as const;

type Db = Pick<Database, "db">;

export function makeEventRepair({ db }: Db): EventRepair {
  const listEntries = makeListEntries({ db });

  /** Only events of earlier changes were deleted by age; null if none was. */
  async function oldestKept(clanId: string): Promise<Date | null> {
    const oldest = await db()
      .collection<EventDoc>("events")
      .findOne(between(clanId, 0, Infinity), { ...MAJORITY, sort: { _id: 1 } });
    // The newest event of a clan stays, without its content.
    if (oldest?.type === undefined) return oldest && new Date(oldest.at.getTime() + 1);
    return oldest._id.n > 1 ? oldest.at : null;
  }

  async function* listRuns(clanId: string, from: Date): AsyncGenerator<SettledChange[]> {
    for (const { name, prefix, type } of RUNS) {
      const docs = await read(() =>
        db()
          .collection<BatchDoc | ReversalDoc>(name)
          .find({ clanId, state: "done", finishedAt: { $gte: from }, ...SETTLED }, MAJORITY)
          .project<{ _id: string; finishedAt: Date }>({ finishedAt: 1 })
          .toArray(),
      );
      for (const group of chunks(docs, ENTRIES_PER_GROUP)) {
        yield group.map(({ _id, finishedAt }) => ({
          ref: { subject: `${prefix}${_id}`, seq: 0, at: finishedAt },
          types: [type],
          announced: "changes",
        }));
      }
    }
  }

  async function flagRuns(changes: readonly SettledChange[]): Promise<void> {
    for (const { name, prefix } of RUNS) {
      const ids = changes.flatMap(({ ref: { subject } }) =>
        subject.startsWith(prefix) ? [subject.slice(prefix.length)] : [],
      );
      if (ids.length === 0) continue;
      await db()
        .collection<{ _id: string; ev?: true }>(name)
        .updateMany({ _id: { $in: ids } }, { $set: { ev: true } });
    }
  }

  return {
    async *listSettled(clanId, { since, everyEntry }) {
      const oldest = await read(() => oldestKept(clanId));
      const from = oldest && oldest > since ? oldest : since;
      yield* listEntries(clanId, from, everyEntry);
      yield* listRuns(clanId, from);
    },

    flag: (clanId, changes) =>
      rewrite(async () => {
        const ofEntries = changes.filter(({ ref }) => ref.seq > 0).map((change) => flagOf(clanId, change));
        if (ofEntries.length > 0) await db().collection<EntryDoc>("ledger").bulkWrite(ofEntries, { ordered: false });
        await flagRuns(changes);
      }),
  };
}

/** By its time too: after an erasure, a new entry may have the number of one that was deleted. */
function flagOf(clanId: string, { ref: { subject, seq, at }, announced }: SettledChange) {
  const platformId = subject.slice(memberSubject("").length);
  const filter = { ...idsOfMember({ clanId, platformId }, { clanId, platformId, seq }), at, ...SETTLED };
  return { updateOne: { filter, update: { $set: { ev: announced === "all" ? 2 : 1 } } } } as const;
}

function makeListEntries({ db }: Db) {
  const ledger = (): mongo.Collection<EntryDoc> => db().collection<EntryDoc>("ledger");

  return async function* listEntries(clanId: string, from: Date, everyEntry: boolean): AsyncGenerator<SettledChange[]> {
    const filter = { "_id.clanId": clanId, at: { $gte: from }, ...SETTLED, ...NO_FENCE, ...NOT_IMPORTED };
    const cursor = ledger().aggregate<EntryDoc>([{ $match: filter }, ...(everyEntry ? [] : CHANGES)], {
      ...MAJORITY,
      hint: { "_id.clanId": 1, at: 1 },
      batchSize: ENTRIES_PER_GROUP,
    });
    try {
      while (await read(() => cursor.hasNext())) {
        const docs = cursor.readBufferedDocuments();
        yield await read(() => changesOf(docs, everyEntry ? "all" : "changes"));
      }
    } finally {
      await cursor.close().catch(() => {});
    }
  };

  async function changesOf(docs: readonly EntryDoc[], announced: Announced): Promise<SettledChange[]> {
    const before = await headsBefore(docs.filter((doc) => endsMembership(entryOfDoc(doc))));
    return docs.flatMap((doc) => {
      const { platformId, seq } = doc._id;
      const known = { before: before.get(`${platformId}/${seq - 1}`) ?? null, ranks: [] };
      const types = eventsOfEntry(entryOfDoc(doc), announced, known).map(({ type }) => type);
      const ref = { subject: memberSubject(platformId), seq, at: doc.at };
      return types.length === 0 ? [] : [{ ref, types, announced }];
    });
  }

  async function headsBefore(docs: readonly EntryDoc[]): Promise<ReadonlyMap<string, Head | null>> {
    if (docs.length === 0) return new Map();
    const ids = docs.map(({ _id: { clanId, platformId, seq } }) => ({ clanId, platformId, seq: seq - 1 }));
    const found = await ledger()
      .find(amongIds(ids), { ...MAJORITY, hint: BY_ID })
      .toArray();
    return new Map(found.map((doc) => [`${doc._id.platformId}/${doc._id.seq}`, headAfter(entryOfDoc(doc))]));
  }
}
