// Names of members. They are stored apart from the members, because a name may precede the first award and must survive
// every projection.
import { memberIdOf } from "#domain/member-id.ts";
import { wordsOf } from "#domain/member-name.ts";
import type { Database } from "#store/database.ts";
import { read, rewrite } from "#store/mongo-calls.ts";
import type { NameDoc } from "#store/names/name-model.ts";
import type { EraseNames, NameStore } from "#usecases/names/ports.ts";

export function makeNameStore({ db }: Pick<Database, "db">): NameStore {
  const names = () => db().collection<NameDoc>("names");

  function stored(clanId: string, platformIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const ids = platformIds.map((platformId) => memberIdOf({ clanId, platformId }));
    return read(async () => {
      const options = { readConcern: { level: "majority" }, projection: { platformId: 1, name: 1 } } as const;
      const docs = await names()
        .find({ _id: { $in: ids } }, options)
        .toArray();
      return new Map(docs.map(({ platformId, name }) => [platformId, name]));
    });
  }

  return {
    read: stored,
    async set(clanId, sent) {
      const present = await stored(
        clanId,
        sent.map(({ platformId }) => platformId),
      );
      const changed = sent.filter(({ platformId, name }) => (present.get(platformId) ?? null) !== name);
      if (changed.length === 0) return;
      const writes = changed.map(({ platformId, name }) => {
        const filter = { _id: memberIdOf({ clanId, platformId }) };
        if (name === null) return { deleteOne: { filter } };
        return {
          replaceOne: { filter, replacement: { clanId, platformId, name, words: wordsOf(name) }, upsert: true },
        };
      });
      await rewrite(() => names().bulkWrite(writes, { ordered: false }));
    },
  };
}

/** For an erasure, which repeats it after the member's other data is gone. */
export function makeEraseNames({ db }: Pick<Database, "db">): EraseNames {
  return async ({ clanId, platformId }) => {
    const target = clanId === null ? { platformId } : { _id: memberIdOf({ clanId, platformId }) };
    await rewrite(() => db().collection<NameDoc>("names").deleteMany(target));
  };
}
