// The name by which people know a member, and the words by which it is found.

/** Longer than any platform's names, short enough for a table. Unicode code points. */
export const MEMBER_NAME_CHARS_MAX = 64;
/** Names in one request: those of two full game servers. */
export const NAMES_PER_CALL_MAX = 100;

/** Control characters, and characters that reorder the text around them: a name must not disguise its surroundings. */
const REJECTED = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/** The name as it is stored, NFC and without surrounding white space; null if it is not a name. */
export function memberNameOf(text: string): string | null {
  if (!text.isWellFormed() || REJECTED.test(text)) return null;
  const name = text.normalize("NFC").trim();
  const chars = name.length <= MEMBER_NAME_CHARS_MAX ? name.length : [...name].length;
  return chars >= 1 && chars <= MEMBER_NAME_CHARS_MAX ? name : null;
}

/** Accents, and characters that nobody sees. Vowel signs, for example of Devanagari, are no accents. */
const IGNORED = /[\p{Default_Ignorable_Code_Point}[\p{Diacritic}&&\p{Mark}]]/gv;
/** Letters that Unicode does not decompose, and the one that has two lower cases. */
const LETTERS = new Map(Object.entries({ ł: "l", ø: "o", đ: "d", ħ: "h", ŧ: "t", æ: "ae", œ: "oe", ς: "σ" }));
/** A word, or one symbol, such as an emoji. */
const WORD = /[\p{Letter}\p{Number}\p{Mark}]+|\p{Symbol}/gu;

/** The words of a name or of a search as they are compared: in lower case and without accents, each once. */
export function wordsOf(text: string): string[] {
  // Through upper case, which is the same for ß and ss, and for ı and i.
  const cased = text.normalize("NFKD").replaceAll(IGNORED, "").toUpperCase().toLowerCase();
  const folded = cased.replaceAll(/[łøđħŧæœς]/gu, (letter) => LETTERS.get(letter) ?? letter);
  const words = folded.match(WORD);
  if (words) return [...new Set(words)];
  // A name that consists of dashes has no words, and is found by them.
  const rest = folded.trim();
  return rest === "" ? [] : [rest];
}
