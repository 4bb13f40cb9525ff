// Names for awards. The first character keeps three kinds apart, so that no caller can name, or hit, an award that is not theirs.

/** An award under the caller's Idempotency-Key. */
export function callerAwardKey(idempotencyKey: string): string {
  return `=${idempotencyKey}`;
}

/** Entry `index` of a batch: the same on every delivery of its job. */
export function batchAwardKey(batchId: string, index: number): string {
  return `${batchId}/${index}`;
}

/** An award without a caller's key: `unique` is made by the process, so that a commit whose answer was lost can be run again. */
export function ownAwardKey(unique: string): string {
  return `-${unique}`;
}

/** True when an entry may already stand under this key although this process never tried to commit it. */
export function isForeignAwardKey(key: string): boolean {
  return !key.startsWith("-");
}
