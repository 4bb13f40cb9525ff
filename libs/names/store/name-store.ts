// Names of members. They are stored apart from the members, because a name may precede the first award and must survive
// every projection.
//
// Invariant: a name that was being set when an erasure of its member began, or while it ran, is not stored afterwards.
// `set` reads first, and an erasure lasts longer than a call of it.
import type { AnyBulkWriteOperation } from "mongodb";
import { pause } from "#async/pause.ts";
import { AppError } from "#kernel/app-error.ts";
import { memberIdOf } from "#domain/member-id.ts";
import { indexedWordsOf } from "#domain/member-name.ts";
import { BOUND_PAUSE_MS, BOUND_TRIES_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { NO_FENCE } from "#mongo/filters.ts";
import { MAJORITY, read, rewrite } from "#mongo/mongo-calls.ts";
import { isDuplicateKey } from "#mongo/mongo-errors.ts";
import { makeFindNames } from "#names/store/find-names.ts";
import { isEmpty, isOutdated, type NameDoc } from "#names/store/name-model.ts";
import type { NamedMember, NameStore } from "#names/ports.ts";

export function makeNameStore({ db }: Pick<Database, "db">): NameStore {
  const names = () => db().collection<NameDoc>("names");

  function stored(clanId: string, platformIds: readonly string[]): Promise<NameDoc[]> {
    const ids = idsOf(
      clanId,
      platformIds.map((platformId) => ({ platformId })),
    );
    return read(() => names().find(ids, MAJORITY).toArray());
  }

  return {
    async read(clanId, platformIds) {
      const docs = await stored(clanId, platformIds);
      return new Map(docs.flatMap(({ platformId, name }) => (name === undefined ? [] : [[platformId, name]])));
    },

    async readAll(clanId, platformIds) {
      const docs = await stored(clanId, platformIds);
      return new Map(
        docs.map(({ platformId, name = null, hiddenBy = [] }) => {
          return [platformId, { name, isHidden: hiddenBy.length > 0 }];
        }),
      );
    },

    async set(clanId, sent) {
      for (let tries = 1; ; tries += 1) {
        const ids = sent.map(({ platformId }) => platformId);
        const present = new Map((await stored(clanId, ids)).map((doc) => [doc.platformId, doc]));
        const changed = sent.filter((named) => differs(named, present.get(named.platformId)));
        if (changed.length === 0) return;
        try {
          const writes = changed.map((named) => writeOf(clanId, named));
          await rewrite(() => names().bulkWrite(writes, { ordered: false }));
          const emptied = changed.filter(({ name, isHidden }) => name === null || isHidden === false);
          if (emptied.length > 0) await rewrite(() => names().deleteMany({ ...idsOf(clanId, emptied), ...isEmpty }));
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

function idsOf(clanId: string, members: readonly { platformId: string }[]) {
  return { _id: { $in: members.map(({ platformId }) => memberIdOf({ clanId, platformId })) } };
}

/** Whether this changes what is stored. */
function differs({ name, isHidden }: NamedMember, doc: NameDoc | undefined): boolean {
  if (doc?.erasing) return false;
  if (isHidden !== undefined && isHidden !== (doc?.hiddenBy?.includes("game") ?? false)) return true;
  if (name === undefined) return false;
  if ((doc?.name ?? null) !== name) return true;
  return name !== null && isOutdated({ name, words: doc?.words });
}

function writeOf(clanId: string, { platformId, name, isHidden }: NamedMember): AnyBulkWriteOperation<NameDoc> {
  const filter = { _id: memberIdOf({ clanId, platformId }), ...NO_FENCE };
  const naming = typeof name === "string" ? { name, words: indexedWordsOf(name) } : {};
  const update = {
    $set: { clanId, platformId, ...naming },
    ...(name === null ? { $unset: { name: "" as const, words: "" as const } } : {}),
    ...(isHidden === true ? { $addToSet: { hiddenBy: "game" as const } } : {}),
    ...(isHidden === false ? { $pull: { hiddenBy: "game" as const } } : {}),
  };
  return { updateOne: { filter, update, upsert: typeof name === "string" || isHidden === true } };
}
