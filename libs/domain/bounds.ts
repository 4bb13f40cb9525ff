// The maximum of each value, wherever it enters.

/** XP is a signed 64-bit number: the range of MongoDB's Int64. */
export const XP_MIN = -(2n ** 63n);
export const XP_MAX = 2n ** 63n - 1n;

/** The largest amount of one award, in either direction, unless the clan's bound was raised. */
export const AMOUNT_MAX_DEFAULT = 1_000_000;
/** The largest bound of a clan: far within the safe integers, so that JSON numbers stay exact. */
export const AMOUNT_MAX_LIMIT = 1_000_000_000_000;

export const AWARDS_PER_BATCH_MAX = 500;
/**
 * Awards in one synchronous call: twice the players of a game server, and small enough that one call does not delay
 * others in its commit group.
 */
export const AWARDS_PER_CALL_MAX = 100;
/** 500 awards with the longest ids are 50 KiB; the rest is room for fields that existing callers send along. */
export const BODY_BYTES_MAX = 256 * 1024;
export const JSON_DEPTH_MAX = 8;

export const REASON_CHARS_MAX = 500;
export const PLACE_ID_CHARS_MAX = 64;
export const MATCH_ID_CHARS_MAX = 128;
export const IDEMPOTENCY_KEY_CHARS_MAX = 255;
/** Ids that callers send back: longer than any that is created. */
export const ID_CHARS_MAX = 100;
export const PAGE_SIZE_MAX = 200;
export const PAGE_SIZE_DEFAULT = 50;
/** Members in a part of a leaderboard around one of them: five above and five below. */
export const AROUND_SIZE_DEFAULT = 11;
/** Members that one read names: a URL of 100 of the longest ids has 6,500 characters. */
export const MEMBERS_NAMED_MAX = 100;

/**
 * The owner of a clan needs one key per game and one for a rotation. More keys suggest that old ones were not revoked.
 */
export const LIVE_KEYS_PER_CLAN_MAX = 5;
/** Names of clans, ranks and keys: long enough for any label, short enough for a table. */
export const NAME_CHARS_MAX = 100;
/** Each award searches the ranks; a hundred are more than any game uses. */
export const RANKS_PER_CLAN_MAX = 100;

/** A label for people. */
export function isName(text: string): boolean {
  return text.length <= NAME_CHARS_MAX && isPlainText(text);
}

/** Some visible text without line breaks, terminal codes or lone surrogates. */
export function isPlainText(text: string): boolean {
  return isVisible(text) && text.isWellFormed() && !/\p{Cc}/u.test(text);
}

/** Beside what Unicode lists: the blank of Braille, and marks of annotations. */
const VISIBLE = /[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;

/** A name of which nothing can be seen names nobody, however long it is. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

const CLAN_ID_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;
/** `.` and `..` are not allowed: URL rules would remove them. */
export const PLATFORM_ID_PATTERN = /^(?!\.{1,2}$)[A-Za-z0-9._:@|-]{1,64}$/;

/** A clan's id in paths. */
export function isClanId(text: string): boolean {
  return CLAN_ID_PATTERN.test(text);
}

/** A member's id on the game's platform. */
export function isPlatformId(text: string): boolean {
  return PLATFORM_ID_PATTERN.test(text);
}
