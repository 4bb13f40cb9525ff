// Names of members. They are stored apart from the members, because a name may precede the first award and must survive
// every projection.
//
// Invariant: a name that was being set when an erasure of its member began, or while it ran, is not stored afterwards.
// `set` reads first, and an erasure lasts longer than a call of it.
import type { mongo } from "mongoose";
import { pause } from "#async/pause.ts";
import { AppError } from "#domain/app-error.ts";
import { memberIdOf } from "#domain/member-id.ts";
import { indexedWordsOf } from "#domain/member-name.ts";
import { BOUND_PAUSE_MS, BOUND_TRIES_MAX } from "#store/bounds.ts";
import type { Database } from "#store/database.ts";
import { NO_FENCE } from "#store/filters.ts";
import { read, rewrite } from "#store/mongo-calls.ts";
import { isDuplicateKey } from "#store/mongo-errors.ts";
import { makeFindNames } from "#store/names/find-names.ts";
import { isOutdated, type NameDoc } from "#store/names/name-model.ts";
import type { NamedMember, NameStore } from "#usecases/names/ports.ts";

const MAJORITY = { readConcern: { level: "majority" } } as const;

export function makeNameStore({ db }: Pick<Database, "db">): NameStore {
  const names = () => db().collection<NameDoc>("names");

  function stored(clanId: string, platformIds: readonly string[]): Promise<NameDoc[]> {
    const ids = platformIds.map((platformId) => memberIdOf({ clanId, platformId }));
    return read(() =>
      names()
        .find({ _id: { $in: ids } }, MAJORITY)
        .toArray(),
    );
  }

  return {
    async read(clanId, platformIds) {
      const docs = await stored(clanId, platformIds);
      return new Map(docs.flatMap(({ platformId, name }) => (name === undefined ? [] : [[platformId, name]])));
    },

    async set(clanId, sent) {
      for (let tries = 1; ; tries += 1) {
        const ids = sent.map(({ platformId }) => platformId);
        const present = new Map((await stored(clanId, ids)).map((doc) => [doc.platformId, doc]));
        const changed = sent.filter(({ platformId, name }) => {
          const doc = present.get(platformId);
          if (doc?.erasing) return false;
          if ((doc?.name ?? null) !== name) return true;
          return name !== null && isOutdated({ name, words: doc?.words });
        });
        if (changed.length === 0) return;
        try {
          const writes = changed.map((named) => writeOf(clanId, named));
          await rewrite(() => names().bulkWrite(writes, { ordered: false }));
          return;
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
          // Another process has just named one of them, or begun an erasure, and no majority has stored it yet.
          if (tries === BOUND_TRIES_MAX)
            throw new AppError("unavailable", "The database does not store names: try again shortly.", {
              cause: error,
            });
          await pause(BOUND_PAUSE_MS);
        }
      }
    },

    find: makeFindNames({ db }),
  };
}

function writeOf(clanId: string, { platformId, name }: NamedMember): mongo.AnyBulkWriteOperation<NameDoc> {
  const filter = { _id: memberIdOf({ clanId, platformId }), ...NO_FENCE };
  if (name === null) return { deleteOne: { filter } };
  return {
    replaceOne: { filter, replacement: { clanId, platformId, name, words: indexedWordsOf(name) }, upsert: true },
  };
}
