// Erases one member's entries and document, concurrently with awards and with other processes that do the same.
//
// Invariant: an entry is marked or deleted only in a transaction that writes to the fence of its erasure, and an
// erasure fences a member once. A process that resumes minutes later finds no fence, and does not change a chain that
// was begun since.
import type { ClientSession } from "mongodb";
import { ENTRIES_PER_ERASURE } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { MAJORITY, read } from "#mongo/mongo-calls.ts";
import { transaction } from "#mongo/transaction.ts";
import type { AuditDoc } from "#audit/store/audit-model.ts";
import { recordsOfEntries } from "#audit/store/entry-records.ts";
import type { ErasureDoc } from "#erasure/store/erasure-model.ts";
import type { EntryDoc } from "#ledger/store/entry-model.ts";
import { amongIds, BY_ID, idsOfMember } from "#ledger/store/ledger-filters.ts";
import type { MemberDoc } from "#ledger/store/member-model.ts";
import { ERASED } from "#domain/erased.ts";
import type { AuditRecord } from "#audit/ports.ts";
import type { ChainErasure } from "#erasure/ports.ts";
import { memberIdOf, type MemberRef } from "#domain/member-id.ts";

type RecordedDoc = Pick<EntryDoc, "_id" | "actor" | "importName">;

const ID_ONLY = { _id: 1 } as const;
const MARK = { $set: { erasing: true } } as const;

// oxlint-disable-next-line eslint/max-lines-per-function -- how its transactions affect each other is the invariant
export function makeEraseChain({ db }: Pick<Database, "db">): ChainErasure {
  const erasures = () => db().collection<ErasureDoc>("erasures");
  const ledger = () => db().collection<EntryDoc>("ledger");
  const members = () => db().collection<MemberDoc>("members");

  async function newestSeq(member: MemberRef, session?: ClientSession): Promise<number | null> {
    const options = { ...(session ? { session } : {}), projection: { seq: 1 } } as const;
    const newest = await ledger().findOne(allOf(member), {
      ...options,
      sort: { _id: -1 },
      hint: BY_ID,
      projection: ID_ONLY,
    });
    const doc = await members().findOne({ _id: memberIdOf(member) }, options);
    return newest || doc ? Math.max(newest?._id.seq ?? 0, Number.isSafeInteger(doc?.seq) ? (doc?.seq ?? 0) : 0) : null;
  }

  /** Its `_id`. It is written to, so that one of two transactions with this fence fails. Null: it no longer exists. */
  async function hold(
    erasureId: string,
    { clanId, platformId }: MemberRef,
    session: ClientSession,
  ): Promise<EntryDoc["_id"] | null> {
    const fence = { "_id.clanId": clanId, "_id.platformId": platformId, key: fenceKey(erasureId) };
    const held = await ledger().findOneAndUpdate(fence, { $inc: { touched: 1 } }, { session, projection: ID_ONLY });
    return held?._id ?? null;
  }

  /** What people did to the member stays in the audit log, without the member (libs/domain/audit.ts). */
  async function keepRecords(entries: readonly RecordedDoc[], session: ClientSession) {
    // An import has a record, which does not name the member.
    const recorded = entries.filter(({ actor, importName }) => actor !== undefined && importName === undefined);
    const ids = recorded.map(({ _id }) => _id);
    if (ids.length === 0) return;
    const docs = await ledger().find(amongIds(ids), { session, hint: BY_ID }).toArray();
    const found = await recordsOfEntries(db(), docs, session);
    await db()
      .collection<AuditDoc>("audit")
      .insertMany(
        found.map(({ record }) => erasedRecord(record)),
        { session },
      );
  }

  /** Also if another erasure has replaced this one. */
  async function count(erasureId: string, entries: number, session: ClientSession): Promise<void> {
    if (entries > 0)
      await erasures().updateOne({ _id: erasureId }, { $inc: { "counts.entries": entries } }, { session });
  }

  return {
    async fence(erasureId, member) {
      if ((await read(() => newestSeq(member))) === null) return;
      await transaction({ db }, async (session) => {
        const [open, fenced] = [
          { _id: erasureId, finishedAt: null, fenced: { $ne: member.clanId } },
          { fenced: member.clanId },
        ];
        const claimed = await erasures().updateOne(open, { $addToSet: fenced }, { session });
        const seq = claimed.matchedCount === 1 ? await newestSeq(member, session) : null;
        if (seq === null) return;
        await ledger().insertOne(fenceOf(erasureId, member, seq + 1), { session });
        // Higher than every head that is about to be projected, and on no leaderboard.
        const head = { xp: 0n, seq: seq + 1, membership: null, appointedRank: null } as const;
        await members().replaceOne(
          { _id: memberIdOf(member) },
          { ...member, ...head, removed: true, erasing: true },
          { session, upsert: true },
        );
      });
    },

    async mark(erasureId, member) {
      let marked: EntryDoc["_id"] | null = { ...member, seq: -Infinity };
      while (marked) {
        const from: EntryDoc["_id"] = marked;
        marked = await transaction({ db }, async (session) => {
          const fence = await hold(erasureId, member, session);
          if (!fence) return null;
          const behind = idsOfMember(member, { $gt: from, $lt: fence });
          const [byId, limit] = [{ session, hint: BY_ID } as const, ENTRIES_PER_ERASURE];
          const found = await ledger()
            .find(behind, { ...byId, sort: ID_ONLY, projection: ID_ONLY, limit })
            .toArray();
          const last = found.at(-1)?._id ?? null;
          if (last) await ledger().updateMany(idsOfMember(member, { $gt: from, $lte: last }), MARK, byId);
          return last;
        });
      }
    },

    async erase(erasureId, member) {
      let isLeft = true;
      while (isLeft) {
        isLeft = await transaction({ db }, async (session) => {
          const fence = await hold(erasureId, member, session);
          if (!fence) return false;
          const byId = { session, hint: BY_ID } as const;
          const behind = idsOfMember(member, { ...allOf(member)._id, $lt: fence });
          const found = await ledger()
            // The newest first, because the record of a change needs the entry before it.
            .find(behind, {
              ...byId,
              sort: { _id: -1 },
              projection: { key: 1, actor: 1, importName: 1 },
              limit: ENTRIES_PER_ERASURE,
            })
            .toArray();
          if (found.length > 0) {
            await keepRecords(found, session);
            await ledger().deleteMany(amongIds(found.map(({ _id }) => _id)), byId);
            await count(erasureId, found.filter(({ key }) => !isFenceKey(key)).length, session);
            return true;
          }
          await ledger().deleteOne({ _id: fence }, { session });
          // Another erasure of this member may have placed its fence after this one.
          await members().deleteOne({ _id: memberIdOf(member), seq: fence.seq }, { session });
          return false;
        });
      }
    },

    eraseRemaining: (erasureId, member) =>
      transaction({ db }, async (session) => {
        const byId = { session, hint: BY_ID } as const;
        const entries = ledger().find(allOf(member), {
          ...byId,
          sort: { _id: 1 },
          projection: { erasing: 1, actor: 1, importName: 1 },
        });
        const unchained: RecordedDoc[] = [];
        let linked = 0;
        for await (const entry of entries) {
          // Another erasure of this member, which deletes everything.
          if (entry.erasing) return;
          if (entry._id.seq === linked + 1) linked = entry._id.seq;
          else unchained.push(entry);
        }
        if (unchained.length > 0) {
          await keepRecords(unchained, session);
          await ledger().deleteMany(amongIds(unchained.map(({ _id }) => _id)), byId);
        }
        // A document follows an entry. Without that entry, a late projection wrote it.
        const hasNoEntry = { $not: { $gte: 1, $lte: linked } };
        await members().deleteOne({ _id: memberIdOf(member), seq: hasNoEntry }, { session });
        await count(erasureId, unchained.length, session);
      }),

    fencedClans: (erasureId) =>
      read(async () => (await erasures().findOne({ _id: erasureId }, MAJORITY))?.fenced ?? []),
  };
}

function erasedRecord({ before, after, ...record }: AuditRecord): AuditDoc {
  const { reason: _reason, ...facts } = { reason: null, ...after };
  return { ...record, target: ERASED, before: { ...before }, after: facts };
}

const FENCE = "erasure/";

function fenceKey(erasureId: string): string {
  return `${FENCE}${erasureId}`;
}

/** No key of an award begins like this (libs/domain/award-key.ts). */
function isFenceKey(key: string): boolean {
  return key.startsWith(FENCE);
}

/** All of the member's entries, by a range over the whole `_id`, which its index serves. */
function allOf(member: MemberRef) {
  const { clanId, platformId } = member;
  const ends = { $gt: { clanId, platformId, seq: -Infinity }, $lt: { clanId, platformId, seq: Infinity } };
  return idsOfMember(member, ends);
}

function fenceOf(erasureId: string, { clanId, platformId }: MemberRef, seq: number): EntryDoc {
  const nothing = {
    amount: 0n,
    applied: 0n,
    xp: 0n,
    rank: "",
    previousRank: "",
    apiKeyId: "",
    memberSince: null,
  } as const;
  return { _id: { clanId, platformId, seq }, key: fenceKey(erasureId), ...nothing, erasing: true, at: new Date() };
}
