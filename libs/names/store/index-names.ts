// Gives names that an earlier version has stored the words by which they are found now.
//
// Invariant: a name that is set, or erased, meanwhile stays as it is.
import { pause } from "#async/pause.ts";
import { indexedWordsOf } from "#domain/member-name.ts";
import type { Database } from "#mongo/database.ts";
import { MAJORITY, read, rewrite } from "#mongo/mongo-calls.ts";
import { isOutdated, type NameDoc } from "#names/store/name-model.ts";

/** Increases whenever names are found by other words. */
const WORDS_VERSION = 1;
/** Names in one read: some hundred kilobytes. */
const NAMES_PER_READ = 1_000;
const ID = { _id: "names" } as const;

/** `version`: of the words that all names have. */
type NamesDoc = { _id: "names"; version: number };

/** Once for each database: later calls do nothing. Throws AppError `unavailable`; the next call begins again. */
export type IndexNames = (stopping: AbortSignal) => Promise<void>;

export function makeIndexNames({ db }: Pick<Database, "db">): IndexNames {
  const names = () => db().collection<NameDoc>("names");
  const meta = () => db().collection<NamesDoc>("meta");

  async function indexAfter(after: string): Promise<string | null> {
    const page = { ...MAJORITY, sort: { _id: 1 }, limit: NAMES_PER_READ, projection: { name: 1, words: 1 } } as const;
    const docs = await read(() =>
      names()
        .find({ _id: { $gt: after } }, page)
        .toArray(),
    );
    const writes = docs.flatMap(({ _id, name, words }) => {
      if (name === undefined || !isOutdated({ name, words })) return [];
      return [{ updateOne: { filter: { _id, name }, update: { $set: { words: indexedWordsOf(name) } } } }];
    });
    if (writes.length > 0) await rewrite(() => names().bulkWrite(writes, { ordered: false }));
    return docs.length < NAMES_PER_READ ? null : (docs.at(-1)?._id ?? null);
  }

  return async function indexNames(stopping) {
    const done = await read(() => meta().findOne(ID, MAJORITY));
    if ((done?.version ?? 0) >= WORDS_VERSION) return;
    for (let after: string | null = ""; after !== null;) {
      if (stopping.aborted) return;
      const beganAtMs = performance.now();
      after = await indexAfter(after);
      // Half of the time at most.
      await pause(performance.now() - beganAtMs, stopping);
    }
    await rewrite(() => meta().updateOne(ID, { $max: { version: WORDS_VERSION } }, { upsert: true }));
  };
}
