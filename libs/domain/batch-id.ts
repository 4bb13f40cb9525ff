// The id of a batch. It is also the id of the batch's job, and the root of its awards' keys (award-key.ts).
//
// Invariant: the same awards under the same Idempotency-Key of a clan always get the same id. Even if the record of an
// accepted batch is lost, its awards cannot count twice: accepted again, they have the keys that their entries already
// have.

const PREFIX = "bat_";
/** Milliseconds in base 36: enough until the year 5188. */
const TIME_LENGTH = 9;
/** Follows the prefix in the id of a batch with a key. No time begins with it, because times are in lower case. */
const KEYED = "K";
/** Characters of the digest in base64: 144 bits. */
const DIGEST_LENGTH = 24;

/**
 * A batch without an Idempotency-Key. Ids increase with time; `random` distinguishes those of one millisecond. BullMQ
 * accepts no ":" in them.
 */
export function batchIdAt(at: Date, random: string): string {
  return `${PREFIX}${at.getTime().toString(36).padStart(TIME_LENGTH, "0")}${random}`;
}

/** A batch with an Idempotency-Key. `digest` is a base64url SHA-256 of what the id identifies: clan, key and awards. */
export function keyedBatchId(digest: string): string {
  return `${PREFIX}${KEYED}${digest.slice(0, DIGEST_LENGTH)}`;
}
