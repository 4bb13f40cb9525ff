// Keys of awards. The first characters distinguish the kinds, so that no caller can name an award of another kind.

/** An award under the caller's Idempotency-Key. */
export function callerAwardKey(idempotencyKey: string): string {
  return `=${idempotencyKey}`;
}

/** Entry `index` of a batch: the same on every delivery of its job. */
export function batchAwardKey(batchId: string, index: number): string {
  return `${batchId}/${index}`;
}

const REVERSAL = "rev/";

/** The keys of all reversals, as a condition: "0" is the character after "/". */
export const REVERSAL_KEYS = { $gte: REVERSAL, $lt: "rev0" } as const;

/** The reversal of an award. An award has one at most, by any request. */
export function reversalKey(awardId: string): string {
  return `${REVERSAL}${awardId}`;
}

/** The id of the award that the entry under this key reverses. */
export function reversedAwardId(key: string): string {
  return key.slice(REVERSAL.length);
}

/** What a member loses in a reset: one entry. */
export function resetKey(resetId: string): string {
  return `reset/${resetId}`;
}

/**
 * The fingerprint of an entry that replaces an award of a cancelled batch. The entry has the award's key, so that the
 * award can no longer be applied. Awards of batches have no fingerprint, and fingerprints of callers' awards are
 * digests.
 */
export const CANCELLATION = "cancelled";

export function isCancellation({ batchId, fingerprint }: { batchId?: string; fingerprint: string }): boolean {
  return batchId !== undefined && fingerprint === CANCELLATION;
}

/**
 * An award without a caller's key. The process creates `unique`, so that a commit whose result was lost can be
 * repeated.
 */
export function ownAwardKey(unique: string): string {
  return `-${unique}`;
}

/** True if an entry may already exist under this key although this process never tried to commit it. */
export function isForeignAwardKey(key: string): boolean {
  return !key.startsWith("-");
}

/**
 * The changes that `clanxp import` makes for a line, by the line's own key. Each of them counts once, however often the
 * file is imported.
 */
export function importKey(change: "xp" | "membership" | "appointment", lineKey: string): string {
  return `imp/${change}/${lineKey}`;
}

const LINE_KEY = /^[\x21-\x7e]{1,190}$/;

/** The key of a line, or the name of an import, which lines without a key have: printable ASCII without spaces. */
export function isLineKey(text: string): boolean {
  return LINE_KEY.test(text);
}
