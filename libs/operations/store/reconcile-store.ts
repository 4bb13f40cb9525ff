// Ledger, members and batches as of one snapshot: ordered streams in a snapshot session, each from an index, in pages.
//
// Values that were changed manually are returned unchanged, and do not cause an exception.
import { type ClientSession, type Db, type Document, type FindCursor, MaxKey, MinKey, MongoError } from "mongodb";
import { AppError } from "#kernel/app-error.ts";
import { CANCELLATION } from "#domain/award-key.ts";
import {
  RECONCILE_BATCHES_PER_READ,
  RECONCILE_ITEMS_PER_READ,
  REPEATED_KEYS_MAX,
  SNAPSHOT_TRIES_MAX,
} from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { orUnavailable } from "#mongo/mongo-calls.ts";
import { isSnapshotExpired } from "#mongo/mongo-errors.ts";
import { batchOfDoc, type BatchDoc } from "#batches/store/batch-model.ts";
import { BY_ID, idsOfClan, idsOfMember } from "#ledger/store/ledger-filters.ts";
import type { DeletionDoc } from "#erasure/store/deletion-model.ts";
import type { ErasureDoc } from "#erasure/store/erasure-model.ts";
import { membersOfClan } from "#ledger/store/member-model.ts";
import { findRepeatedKeys } from "#operations/store/repeated-keys.ts";
import { ofClan } from "#mongo/filters.ts";
import type { ReconcileStore, SnapshotEntry, SnapshotMember, ReconcileSnapshot } from "#operations/ports.ts";

/** Below and above every possible value of an `_id` field. */
const MIN = new MinKey();
const MAX = new MaxKey();
/** The condition of the partial index, so that MongoDB uses it. */
const NAMES_A_BATCH = { batchId: { $exists: true } } as const;
const ID_ONLY = { _id: 1 } as const;

type RawMember = {
  _id: string;
  clanId?: unknown;
  platformId?: unknown;
  xp?: unknown;
  seq?: unknown;
  membership?: unknown;
};
type RawEntry = {
  _id: { clanId: unknown; platformId: unknown; seq: unknown };
  key?: unknown;
  amount?: unknown;
  applied?: unknown;
  xp?: unknown;
  rank?: unknown;
  membershipCreated?: unknown;
  kind?: unknown;
  reversesSeq?: unknown;
  removed?: unknown;
  batchId?: unknown;
  erasing?: unknown;
  at?: unknown;
  fingerprint?: unknown;
};

export function makeReconcileStore({ db }: Pick<Database, "db">): ReconcileStore {
  async function withSnapshot<T>(read: (snapshot: ReconcileSnapshot) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const session = db().client.startSession({ snapshot: true });
      const open: { close(): Promise<void> }[] = [];
      try {
        // The session's first read selects the snapshot; streams that start concurrently would select two.
        await collectionsOf(db()).clans.findOne({}, { session, projection: ID_ONLY });
        return await read(snapshotOf(db(), session, (cursor) => open.push(cursor)));
      } catch (error) {
        if (isSnapshotExpired(error) && tries < SNAPSHOT_TRIES_MAX) continue;
        if (error instanceof MongoError)
          throw new AppError("unavailable", "The ledger could not be read to its end.", { cause: error });
        throw error;
      } finally {
        await Promise.allSettled(open.map((cursor) => cursor.close()));
        await session.endSession();
      }
    }
  }

  return {
    withSnapshot,
    repeatedKeys: (clanId) =>
      orUnavailable(() => findRepeatedKeys({ db }, { clanId, limit: REPEATED_KEYS_MAX, maxTimeMS: 0 })),
    nextClanId(after) {
      return orUnavailable(async () => {
        const { clans, members, ledger } = collectionsOf(db());
        const aboveId = { clanId: after, platformId: MAX, seq: MAX };
        const clan = await clans.findOne({ _id: { $gt: after } }, { sort: { _id: 1 }, projection: ID_ONLY });
        const entry = await ledger.findOne(
          { _id: { $gt: aboveId }, "_id.clanId": { $gt: after } },
          { sort: { _id: 1 }, projection: ID_ONLY, hint: BY_ID },
        );
        const member = await members.findOne(
          { clanId: { $gt: after } },
          { sort: { clanId: 1 }, projection: { clanId: 1 } },
        );
        const ids = [clan?._id, entry?._id.clanId, member?.clanId].filter((id) => typeof id === "string");
        return ids.sort()[0] ?? null;
      });
    },
    lastBatchId() {
      return orUnavailable(async () => {
        const { batches, ledger } = collectionsOf(db());
        const record = await batches.findOne({}, { sort: { _id: -1 }, projection: ID_ONLY });
        const entry = await ledger.findOne(NAMES_A_BATCH, { sort: { batchId: -1 }, projection: { batchId: 1 } });
        const ids = [record?._id, entry?.batchId].filter((id) => typeof id === "string");
        return ids.sort().at(-1) ?? null;
      });
    },
    size(clanId) {
      return orUnavailable(async () => {
        const { members, ledger, batches } = collectionsOf(db());
        const counts =
          clanId === null
            ? [members, ledger, batches].map((collection) => collection.estimatedDocumentCount())
            : [
                members.countDocuments(membersOfClan(clanId)),
                // From the index alone.
                ledger.countDocuments({ "_id.clanId": clanId }),
                batches.countDocuments({ clanId }),
              ];
        return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
      });
    },
  };
}

function collectionsOf(db: Db) {
  return {
    clans: db.collection<{ _id: string }>("clans"),
    members: db.collection<RawMember>("members"),
    ledger: db.collection<RawEntry>("ledger"),
    batches: db.collection<BatchDoc>("batches"),
    erasures: db.collection<ErasureDoc>("erasures"),
    deletions: db.collection<DeletionDoc>("deletions"),
  };
}

function entriesFilter(clanId: string, from: string) {
  return idsOfClan(clanId, {
    $gte: { clanId, platformId: from, seq: MIN },
    $lt: { clanId, platformId: MAX, seq: MAX },
  });
}

const ENTRY_FIELDS = {
  amount: 1,
  applied: 1,
  xp: 1,
  rank: 1,
  key: 1,
  membershipCreated: 1,
  kind: 1,
  reversesSeq: 1,
  removed: 1,
  batchId: 1,
  fingerprint: 1,
  erasing: 1,
  at: 1,
} as const;

function snapshotOf(db: Db, session: ClientSession, opened: (cursor: FindCursor) => void): ReconcileSnapshot {
  const { clans, members, ledger, batches, erasures, deletions } = collectionsOf(db);
  const reading = { session, batchSize: RECONCILE_ITEMS_PER_READ } as const;

  async function* stream<Raw extends Document, Item>(cursor: FindCursor<Raw>, toItem: (raw: Raw) => Item) {
    opened(cursor);
    for await (const raw of cursor) yield toItem(raw);
  }

  return {
    async hasClan(clanId) {
      return (await clans.findOne({ _id: clanId }, { session, projection: ID_ONLY })) !== null;
    },
    async isErasing() {
      return (await erasures.findOne({ finishedAt: null }, { session, projection: ID_ONLY })) !== null;
    },
    async deletedClans() {
      const docs = deletions.find({ finishedAt: null }, { session, projection: ID_ONLY });
      return new Set((await docs.toArray()).map(({ _id }) => _id));
    },
    members(clanId, from) {
      return stream(members.find(membersOfClan(clanId, from), reading).sort({ _id: 1 }), (raw) =>
        memberOf(raw, clanId),
      );
    },
    entries(clanId, from) {
      const cursor = ledger.find(entriesFilter(clanId, from), { ...reading, projection: ENTRY_FIELDS, hint: BY_ID });
      return stream(cursor.sort({ _id: 1 }), entryOf);
    },
    batches(clanId, from) {
      const filter = { _id: { $gte: from }, ...ofClan({ clanId }) };
      return stream(
        batches.find(filter, { session, batchSize: RECONCILE_BATCHES_PER_READ }).sort({ _id: 1 }),
        recordOf,
      );
    },
    async entriesAmong({ clanId, platformId }, { seqs, keys }) {
      const ids = seqs.map((seq) => ({ clanId, platformId, seq }));
      const byKey = { "_id.clanId": clanId, "_id.platformId": platformId, key: { $in: [...keys] } };
      // Each alternative from its own index.
      const byId = idsOfMember({ clanId, platformId }, { $in: ids });
      const found = ledger.find({ $or: [byId, byKey] }, { ...reading, projection: ENTRY_FIELDS });
      return (await found.toArray()).map(entryOf);
    },
    batchEntries(clanId, from) {
      const filter = {
        $and: [NAMES_A_BATCH, { batchId: { $gte: from } }],
        ...(clanId === null ? {} : { "_id.clanId": clanId }),
      };
      return stream(ledger.find(filter, { ...reading, projection: ENTRY_FIELDS }).sort({ batchId: 1 }), entryOf);
    },
  };
}

function memberOf(raw: RawMember, clanId: string): SnapshotMember {
  const platformId = raw._id.slice(clanId.length + 1);
  return {
    platformId,
    xp: integerOf(raw.xp),
    seq: Number(raw.seq),
    isMember: typeof raw.membership === "object" && raw.membership !== null,
    wellFiled: raw.clanId === clanId && raw.platformId === platformId,
  };
}

function entryOf(raw: RawEntry): SnapshotEntry {
  const reversesSeq = integerOf(raw.reversesSeq);
  return {
    clanId: textOf(raw._id.clanId),
    platformId: textOf(raw._id.platformId),
    seq: Number(raw._id.seq),
    key: textOf(raw.key),
    kind: raw.kind === undefined ? null : textOf(raw.kind),
    amount: integerOf(raw.amount),
    applied: integerOf(raw.applied),
    xp: integerOf(raw.xp),
    rank: textOf(raw.rank),
    reversesSeq: reversesSeq === null ? null : Number(reversesSeq),
    membershipCreated: raw.membershipCreated === true,
    membershipEnded: raw.kind === "membership" && raw.removed === true,
    batchId: raw.batchId === undefined ? null : textOf(raw.batchId),
    at: raw.at instanceof Date ? raw.at : new Date(0),
    isErasing: raw.erasing === true,
    isCancellation: raw.batchId !== undefined && raw.fingerprint === CANCELLATION,
  };
}

type OutcomeDoc = NonNullable<BatchDoc["outcomes"]>[number];

function recordOf(doc: BatchDoc) {
  return batchOfDoc({ ...doc, awards: listOf(doc.awards), outcomes: listOf(doc.outcomes).map(numbersAsWritten) });
}

/** A small number that a tool wrote as another type is the same number. */
function numbersAsWritten(outcome: OutcomeDoc): OutcomeDoc {
  return "xp" in outcome ? { ...outcome, xp: integerOf(outcome.xp) ?? outcome.xp } : outcome;
}

function listOf<T>(value: T[] | undefined): T[] {
  return Array.isArray(value) ? value : [];
}

function integerOf(value: unknown): bigint | null {
  if (typeof value === "bigint") return value;
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : null;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : `not a text: ${typeof value}`;
}
