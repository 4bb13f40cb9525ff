// Names for awards. The first characters keep the kinds apart, so that no caller can name, or hit, an award that is not
// theirs.

/** An award under the caller's Idempotency-Key. */
export function callerAwardKey(idempotencyKey: string): string {
  return `=${idempotencyKey}`;
}

/** Entry `index` of a batch: the same on every delivery of its job. */
export function batchAwardKey(batchId: string, index: number): string {
  return `${batchId}/${index}`;
}

const REVERSAL = "rev/";

/** The reversal of an award: an award has one at most, whoever asks for it. */
export function reversalKey(awardId: string): string {
  return `${REVERSAL}${awardId}`;
}

/** The id of the award that the entry under this key reverses. */
export function reversedAwardId(key: string): string {
  return key.slice(REVERSAL.length);
}

/**
 * The fingerprint of an entry that stands in for an award of a cancelled batch. It has the award's key, so that the
 * award cannot be applied any more, whoever still tries. Awards of batches have no fingerprint, and callers' are
 * digests.
 */
export const CANCELLATION = "cancelled";

/**
 * An award without a caller's key: `unique` is made by the process, so that a commit whose answer was lost can be run
 * again.
 */
export function ownAwardKey(unique: string): string {
  return `-${unique}`;
}

/** True when an entry may already stand under this key although this process never tried to commit it. */
export function isForeignAwardKey(key: string): boolean {
  return !key.startsWith("-");
}

/**
 * What `clanxp import` does for a line, by the line's own key: each of its changes counts once, however often the file
 * is imported.
 */
export function importKey(change: "xp" | "membership" | "appointment", lineKey: string): string {
  return `imp/${change}/${lineKey}`;
}
