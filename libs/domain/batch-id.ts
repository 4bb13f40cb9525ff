// What a batch is named. The name is also its job's, and the root of its awards' keys (award-key.ts).
//
// Invariant: the same awards under the same Idempotency-Key of a clan always get the same name. So even where the
// record of an accepted batch is lost, its awards cannot count twice: accepted again, they have the keys that their
// entries already hold.

const PREFIX = "bat_";
/** Of milliseconds in base 36: enough until the year 5188. */
const TIME_LENGTH = 9;
/** Follows the prefix in the name of a batch with a key. No time begins with it: times are of lower case. */
const KEYED = "K";
/** Of the digest, in base64: 144 bits. */
const DIGEST_LENGTH = 24;

/**
 * A batch without an Idempotency-Key. Names rise with time; `random` keeps apart what one moment names. BullMQ accepts
 * no ":" in them.
 */
export function batchIdAt(at: Date, random: string): string {
  return `${PREFIX}${at.getTime().toString(36).padStart(TIME_LENGTH, "0")}${random}`;
}

/**
 * A batch with an Idempotency-Key. `digest` is a SHA-256 in base64url of what the name stands for: clan, key and
 * awards.
 */
export function keyedBatchId(digest: string): string {
  return `${PREFIX}${KEYED}${digest.slice(0, DIGEST_LENGTH)}`;
}
