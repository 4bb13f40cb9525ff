// Finds names by the beginnings of their words (docs/decisions/0055-names-are-found-by-their-words.md). The index has a
// key for each word of a name, and the names come in its order.
import { MinKey } from "mongodb";
import { ANSWER_MS_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { MAJORITY, read } from "#mongo/mongo-calls.ts";
import { BY_WORD, type NameDoc } from "#names/store/name-model.ts";
import type { NamePosition, NameStore } from "#names/ports.ts";

/**
 * How many keys of the index a word is looked for in, until one of so many words of a search has fewer: 10 ms for two
 * words that all of these have.
 */
const KEYS_PASSED = [125, 500, 2_000, 8_000] as const;
const WORDS_COUNTED_MAX = 5;
const LOWEST = new MinKey();

export function makeFindNames({ db }: Pick<Database, "db">): NameStore["find"] {
  const names = () => db().collection<NameDoc>("names");

  /** Bounds of the index: names with a word that begins with this one, behind a position. */
  function rangeOf(clanId: string, start: string, after: NamePosition | null) {
    const keyOf = (word: string, platformId: unknown) => ({ clanId, words: word, platformId });
    const min = after ? keyOf(after.word, `${after.platformId}\0`) : keyOf(start, LOWEST);
    return { hint: BY_WORD, min, max: keyOf(endOf(start), LOWEST) };
  }

  /** Reads the index alone: to count names would read each of them. */
  async function hasMoreThan(keys: number, clanId: string, start: string): Promise<boolean> {
    const options = { ...rangeOf(clanId, start, null), skip: keys, limit: 1, maxTimeMS: ANSWER_MS_MAX };
    const found = await names().find({}, options).project({ _id: 0, platformId: 1 }).toArray();
    return found.length > 0;
  }

  /** A beginning that few names have. It is the same one on each page, so that they have one order. */
  async function rarestOf(clanId: string, starts: readonly string[], after: NamePosition | null) {
    const longestFirst = starts.toSorted((a, b) => b.length - a.length);
    if (after) return longestFirst.find((start) => after.word.startsWith(start));
    if (longestFirst.length < 2) return longestFirst[0];
    const counted = longestFirst.slice(0, WORDS_COUNTED_MAX);
    for (const keys of KEYS_PASSED) {
      const areCommon = await Promise.all(counted.map((start) => hasMoreThan(keys, clanId, start)));
      if (areCommon.includes(false)) return counted[areCommon.indexOf(false)];
    }
    return longestFirst[0];
  }

  return (clanId, { words, after, limit }) =>
    read(async () => {
      const rarest = await rarestOf(clanId, words, after);
      if (rarest === undefined) return { items: [], next: null };
      const others = words.filter((word) => word !== rarest);
      const options = { ...MAJORITY, ...rangeOf(clanId, rarest, after), maxTimeMS: ANSWER_MS_MAX };
      const docs = await names()
        .find(others.length > 0 ? { $and: others.map(haveWord) } : {}, options)
        .project<Pick<NameDoc, "platformId" | "words">>({ platformId: 1, words: 1 })
        .limit(limit)
        .toArray();
      const found = docs.map((doc) => placeOf(doc, rarest, after));
      return {
        items: found.flatMap(({ position, isListed }) => (isListed ? [] : [position])),
        next: docs.length < limit ? null : (found.at(-1)?.position ?? null),
      };
    });
}

/** `isListed`: the name has an earlier word with this beginning, and was listed by it on an earlier page. */
function placeOf(
  { platformId, words = [] }: Pick<NameDoc, "platformId" | "words">,
  start: string,
  after: NamePosition | null,
): { position: NamePosition; isListed: boolean } {
  const places = words
    .filter((word) => word.startsWith(start))
    .toSorted(byCodePoints)
    .map((word) => ({ word, platformId }));
  const index = after ? places.findIndex((place) => isBefore(after, place)) : 0;
  return { position: places[index] ?? { word: start, platformId }, isListed: index > 0 };
}

function haveWord(start: string) {
  return { words: { $elemMatch: { $gte: start, $lt: endOf(start) } } };
}

/** After every word with this beginning. */
function endOf(start: string): string {
  return `${start}\u{10FFFF}`;
}

/** MongoDB's order, in which surrogates are not between other characters. */
function byCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function isBefore(a: NamePosition, b: NamePosition): boolean {
  return (byCodePoints(a.word, b.word) || byCodePoints(a.platformId, b.platformId)) < 0;
}
