// Deletes clans. The clan's own document, its keys' validity and the accounts' roles in it end in one transaction with
// the audit record; all other data follows in windows, which any process can repeat.
//
// Invariant: a key or a role is added in a transaction that also writes to the clan's document, so that none is added
// to a clan that is being deleted.
import { memberIdOf, type MemberId } from "#domain/member-id.ts";
import type { mongo } from "mongoose";
import { makeAudited } from "#store/audit/audited.ts";
import { clanInAudit, clanOfDoc, type ClanDoc } from "#store/clans/clan-model.ts";
import { DOCUMENTS_PER_DELETION } from "#store/bounds.ts";
import type { Database } from "#store/database.ts";
import { clanData, type ClanIds } from "#store/erasure/clan-data.ts";
import type { DeletionDoc } from "#store/erasure/deletion-model.ts";
import { ALIVE } from "#store/erasure/erasure-model.ts";
import type { EntryDoc } from "#store/ledger/entry-model.ts";
import type { Models } from "#store/models.ts";
import { orUnavailable, read, rewrite } from "#store/mongo-calls.ts";
import { ageOf } from "#store/mongo-time.ts";
import type { ClanDeletion, ClanDeletions } from "#usecases/erasure/ports.ts";

const MAJORITY = { readConcern: { level: "majority" } } as const;
type Opened = Pick<Database, "connection" | "db" | "models">;

export function makeClanDeletionStore({ db, models, connection }: Opened): ClanDeletions {
  const audited = makeAudited({ models, connection });
  const deletions = () => db().collection<DeletionDoc>("deletions");

  /** Adds the ids of what was stored since, and returns all of them. */
  async function idsOf(clanId: string): Promise<ClanIds> {
    const [keys, destinations] = await Promise.all([
      models.keys.find({ clanId }, { _id: 1 }).lean(),
      models.destinations.find({ clanId }, { _id: 1 }).lean(),
    ]);
    const found = {
      keyIds: { $each: keys.map(({ _id }) => _id) },
      destinationIds: { $each: destinations.map(({ _id }) => _id) },
    };
    const doc = await deletions().findOneAndUpdate({ _id: clanId }, { $addToSet: found }, { returnDocument: "after" });
    return { clanId, keyIds: doc?.keyIds ?? [], destinationIds: doc?.destinationIds ?? [] };
  }

  function collectionOf(name: keyof Models): mongo.Collection {
    return db().collection(models[name].collection.collectionName);
  }

  return {
    begin: (clanId, by) =>
      audited(by, async (session, note) => {
        const deletion = await deletions().findOne({ _id: clanId }, { session });
        if (deletion) return deletion.finishedAt === null ? "unfinished" : "no_clan";
        const clan = await models.clans.findOneAndDelete({ _id: clanId }, { session }).lean<ClanDoc>();
        if (!clan) return "no_clan";
        await models.keys.updateMany({ clanId, revokedAt: null }, { $set: { revokedAt: new Date() } }, { session });
        const withRole = { "grants.clanId": clanId };
        await models.accounts.updateMany(withRole, { $pull: { grants: { clanId } } }, { session });
        const begun = { createdAt: "$$NOW", aliveAt: "$$NOW", finishedAt: null, searchedAt: null, members: null };
        await deletions().updateOne({ _id: clanId }, [{ $set: begun }], { session, upsert: true });
        const before = clanInAudit(clanOfDoc(clan));
        await note({ action: "clan.delete", clanId, target: clanId, before, after: null });
        return "begun";
      }),
    read: (clanId) =>
      read(async () => {
        const doc = await deletions().findOne({ _id: clanId }, MAJORITY);
        return doc && deletionOf(doc);
      }),
    unfinished: () =>
      read(async () =>
        (await deletions().find({ finishedAt: null }, MAJORITY).sort({ createdAt: 1 }).toArray()).map(deletionOf),
      ),
    noteAlive: (clanId) =>
      rewrite(async () => {
        await deletions().updateOne({ _id: clanId }, ALIVE);
      }),
    claimDue: (due) => rewrite(() => claimDue(deletions, due)),
    countMembers: (clanId) => read(() => models.members.countDocuments({ clanId }).exec()),
    noteMembers: (clanId, members) =>
      rewrite(async () => {
        await deletions().updateOne({ _id: clanId, members: null }, { $set: { members } });
      }),
    async size(clanId) {
      const counts = entriesOf(await orUnavailable(() => idsOf(clanId))).map(({ name, filter }) =>
        orUnavailable(() => collectionOf(name).countDocuments(filter)),
      );
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    },
    async *deleteData(clanId) {
      const ids = await orUnavailable(() => idsOf(clanId));
      for (const { name, filter } of entriesOf(ids)) {
        for (;;) {
          const deleted = await rewrite(() => deleteSome(collectionOf(name), filter));
          if (deleted.length === 0) break;
          yield { documents: deleted.length, members: membersAmong(name, deleted) };
        }
      }
    },
    finish: (clanId) =>
      rewrite(async () => {
        await deletions().updateOne({ _id: clanId, finishedAt: null }, [{ $set: { finishedAt: "$$NOW" } }]);
        return (await deletions().findOne({ _id: clanId }, MAJORITY))?.members ?? 0;
      }),
    close: (clanId) =>
      rewrite(async () => {
        const closed = [{ $set: { searchedAt: "$$NOW" } }, { $unset: ["keyIds", "destinationIds"] }];
        await deletions().updateOne({ _id: clanId }, closed);
      }),
  };
}

/** The collections that hold data of the clan, and which. */
function entriesOf(ids: ClanIds): { name: keyof Models; filter: Record<string, unknown> }[] {
  return (Object.keys(clanData) as (keyof Models)[]).flatMap((name) => {
    const filter = clanData[name]?.(ids);
    return filter ? [{ name, filter }] : [];
  });
}

/** Returns the `_id`s of what it deleted. */
async function deleteSome(collection: mongo.Collection, filter: Record<string, unknown>): Promise<unknown[]> {
  const options = { projection: { _id: 1 }, limit: DOCUMENTS_PER_DELETION } as const;
  const ids = (await collection.find(filter, options).toArray()).map(({ _id }): unknown => _id);
  if (ids.length > 0) await collection.deleteMany({ $and: [filter, { _id: { $in: ids } }] });
  return ids;
}

/** Those whose locks Redis may hold. */
function membersAmong(name: keyof Models, ids: readonly unknown[]): MemberId[] {
  if (name === "members") return ids as MemberId[];
  return name === "ledger" ? [...new Set((ids as EntryDoc["_id"][]).map(memberIdOf))] : [];
}

/** Takes over the oldest one that is due, if there is one. */
async function claimDue(
  deletions: () => mongo.Collection<DeletionDoc>,
  { silentMs, lateMs }: { silentMs: number; lateMs: number },
): Promise<ClanDeletion | null> {
  type Aged = { _id: string; aliveAt: Date; silentForMs: bigint; finishedForMs: bigint | null };
  const projection = { aliveAt: 1, silentForMs: ageOf("aliveAt"), finishedForMs: ageOf("finishedAt") };
  const docs = await deletions()
    .find<Aged>({ searchedAt: null }, { ...MAJORITY, projection })
    .sort({ createdAt: 1 })
    .toArray();
  for (const { _id, aliveAt, silentForMs, finishedForMs } of docs) {
    if (silentForMs <= silentMs || (finishedForMs !== null && finishedForMs <= lateMs)) continue;
    // Unless it showed a sign of life, or another worker was faster.
    const doc = await deletions().findOneAndUpdate({ _id, aliveAt, searchedAt: null }, ALIVE);
    if (doc) return deletionOf(doc);
  }
  return null;
}

function deletionOf({ _id, createdAt, finishedAt }: DeletionDoc): ClanDeletion {
  return { clanId: _id, createdAt, finishedAt };
}
