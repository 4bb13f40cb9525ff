// Names in an erasure. Meanwhile a document without a name has the `_id` of each name: a name that is being set
// replaces only what it has read (name-store.ts).
import { chunks } from "#async/chunks.ts";
import { memberIdOf } from "#domain/member-id.ts";
import type { Database } from "#mongo/database.ts";
import { rewrite } from "#mongo/mongo-calls.ts";
import type { NameDoc } from "#names/store/name-model.ts";
import type { NameErasure } from "#names/ports.ts";

/** Some tens of milliseconds of MongoDB. */
const CLANS_PER_WRITE = 1_000;

export function makeEraseNames({ db }: Pick<Database, "db">): NameErasure {
  const names = () => db().collection<NameDoc>("names");

  return {
    async begin({ platformId }, clanIds) {
      let wasStored = false;
      for (const group of chunks(clanIds, CLANS_PER_WRITE)) {
        const writes = group.map((clanId) => ({
          replaceOne: {
            filter: { _id: memberIdOf({ clanId, platformId }) },
            replacement: { clanId, platformId, erasing: true as const },
            upsert: true,
          },
        }));
        const { matchedCount } = await rewrite(() => names().bulkWrite(writes, { ordered: false }));
        wasStored ||= matchedCount > 0;
      }
      return wasStored;
    },

    async end({ platformId }, clanIds) {
      for (const group of chunks(clanIds, CLANS_PER_WRITE)) {
        const ids = group.map((clanId) => memberIdOf({ clanId, platformId }));
        await rewrite(() => names().deleteMany({ _id: { $in: ids } }));
      }
    },
  };
}
