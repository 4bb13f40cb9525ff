// The name by which people know a member, and the words by which it is found.

import { isVisible } from "#domain/bounds.ts";

/** Longer than any platform's names, short enough for a table. Unicode code points. */
export const MEMBER_NAME_CHARS_MAX = 64;
/** Names in one request: those of two full game servers. */
export const NAMES_PER_CALL_MAX = 100;

/** Control characters, and characters that reorder the text around them: a name must not disguise its surroundings. */
const REJECTED = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/** What a name must be, after "must have" and the like. */
export const MEMBER_NAME_FORM = `1 to ${MEMBER_NAME_CHARS_MAX} characters, some of them visible, and no control characters or characters that change the direction of text`;

/** The name as it is stored, NFC and without surrounding white space; null if it is not a name. */
export function memberNameOf(text: string): string | null {
  const name = text.normalize("NFC").trim();
  if (!name.isWellFormed() || REJECTED.test(name) || !isVisible(name)) return null;
  const chars = name.length <= MEMBER_NAME_CHARS_MAX ? name.length : [...name].length;
  return chars <= MEMBER_NAME_CHARS_MAX ? name : null;
}

/** Accents, and characters that nobody sees. Vowel signs, for example of Devanagari, are no accents. */
const IGNORED = /[\p{Default_Ignorable_Code_Point}[\p{Diacritic}&&\p{Mark}]]/gv;
/** Letters that Unicode does not decompose, and the one that has two lower cases. */
const LETTERS = new Map(Object.entries({ ł: "l", ø: "o", đ: "d", ħ: "h", ŧ: "t", æ: "ae", œ: "oe", ς: "σ" }));
/** A word, or one symbol, such as an emoji. */
const WORD = /[\p{Letter}\p{Number}\p{Mark}]+|\p{Symbol}/gu;
const SYMBOL = /\p{Symbol}/u;

/** So many words of a name are found: the index has a key for each, so a name costs as much as a few awards. */
const NAME_WORDS_MAX = 8;
/** Symbols among them: a name of ordinary words has few. */
const NAME_SYMBOLS_MAX = 4;
/** The same for parts of words: more are in names that nobody types. */
const NAME_PARTS_MAX = 8;
/** Where a part of a word begins: a capital letter after a small one, or a digit beside a letter. */
const PART_BEGINS =
  /(?<=\p{Lowercase_Letter}\p{Mark}*)(?=\p{Uppercase_Letter})|(?<=[\p{Letter}\p{Mark}])(?=\p{Number})|(?<=\p{Number})(?=\p{Letter})/gu;

/** As names are compared: in lower case and without accents. */
export function foldedName(text: string): string {
  // Through upper case, which is the same for ß and ss, and for ı and i.
  const cased = plain(text).toUpperCase().toLowerCase();
  return cased.replaceAll(/[łøđħŧæœς]/gu, (letter) => LETTERS.get(letter) ?? letter);
}

function plain(text: string): string {
  return text.normalize("NFKD").replaceAll(IGNORED, "");
}

/**
 * What a name is found by: its words, and their rest from the beginning of each part on, such as nova in StormNova and
 * 1826 in Fox1826. `_`, `-` and `.` separate words.
 */
export function indexedWordsOf(name: string): string[] {
  const words = wordsOf(name);
  const rests = (plain(name).match(WORD) ?? []).flatMap((word) =>
    [...word.matchAll(PART_BEGINS)].map(({ index }) => foldedName(word.slice(index))),
  );
  return [...new Set([...words, ...rests])].slice(0, words.length + NAME_PARTS_MAX);
}

/**
 * The words of a name or of a search as they are compared, each once. The first ones of both, so that a name is always
 * found by itself.
 */
export function wordsOf(text: string): string[] {
  const folded = foldedName(text);
  const words = folded.match(WORD);
  if (words) {
    const distinct = [...new Set(words)];
    const leftOut = distinct.filter((word) => SYMBOL.test(word)).slice(NAME_SYMBOLS_MAX);
    return distinct.filter((word) => !leftOut.includes(word)).slice(0, NAME_WORDS_MAX);
  }
  // A name that consists of dashes has no words, and is found by them.
  const rest = folded.trim();
  return rest === "" ? [] : [rest];
}
