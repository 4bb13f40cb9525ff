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

/** The words of a name or of a search, in lower case and without accents, each once. */
export function wordsOf(text: string): string[] {
  const folded = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return [...new Set(folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ""))];
}
