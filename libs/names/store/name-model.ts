// The collection of members' names: its documents, and its index with the query that needs it.
import { indexedWordsOf } from "#domain/member-name.ts";
import { index } from "#mongo/collection.ts";
import type { HiddenBy } from "#public-pages/ports.ts";

/**
 * `_id` is "clanId/platformId". `words`: by which a search finds it (indexedWordsOf). `hiddenBy`: who hides the member on
 * the clan's public page. While the member is being erased there is a document without a name, which no name replaces.
 */
export type NameDoc = {
  _id: string;
  clanId: string;
  platformId: string;
  name?: string;
  words?: string[];
  hiddenBy?: HiddenBy[];
  erasing?: true;
};

export const BY_WORD = { clanId: 1, words: 1, platformId: 1 } as const;
export const HIDDEN_OF_CLAN = { clanId: 1, platformId: 1 } as const;
export const HIDDEN = { "hiddenBy.0": { $exists: true } } as const;

export const NAMES = {
  name: "names",
  indexes: [
    // The names of a clan that have a word with this beginning; the platformId orders those that share a word.
    index(BY_WORD),
    // The hidden members of a clan, in their order.
    index(HIDDEN_OF_CLAN, { partialFilterExpression: HIDDEN }),
  ],
};

/** Such a document says nothing. */
export const isEmpty = {
  name: { $exists: false },
  "hiddenBy.0": { $exists: false },
  erasing: { $exists: false },
} as const;

/** An earlier version has stored it with other words. */
export function isOutdated({ name, words = [] }: { name: string; words: readonly string[] | undefined }): boolean {
  return words.join(" ") !== indexedWordsOf(name).join(" ");
}
