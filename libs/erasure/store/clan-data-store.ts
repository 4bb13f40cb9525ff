// Deletes what is stored of a clan, in windows over each collection. A worker may do the same at the same time.
import type { DestinationDoc } from "#delivery/store/destination-model.ts";
import type { KeyDoc } from "#keys/store/key-model.ts";
import type { Collection } from "mongodb";
import { memberIdOf, type MemberId } from "#domain/member-id.ts";
import { DOCUMENTS_PER_DELETION } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { clanData, type ClanIds } from "#erasure/store/clan-data.ts";
import type { DeletionDoc } from "#erasure/store/deletion-model.ts";
import type { EntryDoc } from "#ledger/store/entry-model.ts";
import type { MemberDoc } from "#ledger/store/member-model.ts";
import { orUnavailable, read, rewrite } from "#mongo/mongo-calls.ts";
import type { ClanData } from "#erasure/ports.ts";

type Part = { name: string; collection: Collection; filter: Record<string, unknown> };

export function makeClanDataStore({ db }: Pick<Database, "db">): ClanData {
  /** Records the ids of what was stored since, and returns all of them: what they name may be deleted later. */
  async function idsOf(clanId: string): Promise<ClanIds> {
    const [keys, destinations] = await Promise.all([
      db()
        .collection<KeyDoc>("keys")
        .find({ clanId }, { projection: { _id: 1 } })
        .toArray(),
      db()
        .collection<DestinationDoc>("destinations")
        .find({ clanId }, { projection: { _id: 1 } })
        .toArray(),
    ]);
    const found = {
      keyIds: { $each: keys.map(({ _id }) => _id) },
      destinationIds: { $each: destinations.map(({ _id }) => _id) },
    };
    const deletions = db().collection<DeletionDoc>("deletions");
    const doc = await deletions.findOneAndUpdate({ _id: clanId }, { $addToSet: found }, { returnDocument: "after" });
    return { clanId, keyIds: doc?.keyIds ?? [], destinationIds: doc?.destinationIds ?? [] };
  }

  async function partsOf(clanId: string): Promise<Part[]> {
    const ids = await orUnavailable(() => idsOf(clanId));
    return Object.entries(clanData).flatMap(([name, filterOf]) =>
      filterOf ? [{ name, collection: db().collection(name), filter: filterOf(ids) }] : [],
    );
  }

  return {
    countMembers: (clanId) => read(() => db().collection<MemberDoc>("members").countDocuments({ clanId })),
    async size(clanId) {
      const parts = await partsOf(clanId);
      const counts = await orUnavailable(() =>
        Promise.all(parts.map(({ collection, filter }) => collection.countDocuments(filter))),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    },
    async *deleteData(clanId) {
      for (const { name, collection, filter } of await partsOf(clanId)) {
        for (;;) {
          const deleted = await rewrite(() => deleteSome(collection, filter));
          if (deleted.length === 0) break;
          yield { documents: deleted.length, members: membersAmong(name, deleted) };
        }
      }
    },
  };
}

/** Returns the `_id`s of what it deleted. */
async function deleteSome(collection: Collection, filter: Record<string, unknown>): Promise<unknown[]> {
  const options = { projection: { _id: 1 }, limit: DOCUMENTS_PER_DELETION } as const;
  const ids = (await collection.find(filter, options).toArray()).map(({ _id }): unknown => _id);
  if (ids.length > 0) await collection.deleteMany({ $and: [filter, { _id: { $in: ids } }] });
  return ids;
}

/** Those whose locks Redis may hold. */
function membersAmong(name: string, ids: readonly unknown[]): MemberId[] {
  if (name === "members") return ids as MemberId[];
  return name === "ledger" ? [...new Set((ids as EntryDoc["_id"][]).map(memberIdOf))] : [];
}
