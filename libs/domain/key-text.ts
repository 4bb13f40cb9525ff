// The format of an API key: `cxp_<keyId>_<secret><checksum>` (decision 0006). The prefix lets scanners find leaks. The
// checksum lets typos and guesses be rejected without I/O.

const KEY_PREFIX = "cxp";
/** 16 base62 characters: 95 bits, so that ids cannot be guessed and never collide. */
export const KEY_ID_CHARS = 16;
/** 33 base62 characters: 196 random bits, more than the guaranteed 190. */
export const SECRET_CHARS = 33;
const CHECKSUM_CHARS = 6;
const HINT_CHARS = 4;

const SHAPE = new RegExp(
  `^${KEY_PREFIX}_([0-9A-Za-z]{${KEY_ID_CHARS}})_[0-9A-Za-z]{${SECRET_CHARS}}[0-9A-Za-z]{${CHECKSUM_CHARS}}$`,
);

export type Crc32 = (text: string) => number;

/** The key's whole text, which its owner receives once. */
export function formatKeyText(parts: { keyId: string; secret: string }, crc32: Crc32): string {
  const body = `${KEY_PREFIX}_${parts.keyId}_${parts.secret}`;
  return body + checksumOf(body, crc32);
}

/** The key id of a well-formed text with the right checksum; otherwise null. */
export function keyIdIn(text: string, crc32: Crc32): string | null {
  const keyId = SHAPE.exec(text)?.[1];
  if (keyId === undefined) return null;
  const body = text.slice(0, -CHECKSUM_CHARS);
  return text.endsWith(checksumOf(body, crc32)) ? keyId : null;
}

/** The last characters: enough to distinguish two keys, and useless without the rest. */
export function hintOf(text: string): string {
  return text.slice(-HINT_CHARS);
}

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

function checksumOf(body: string, crc32: Crc32): string {
  let rest = crc32(body);
  let text = "";
  for (let digit = 0; digit < CHECKSUM_CHARS; digit += 1) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
