// Creates an award from its arguments: what is sent, and the key that all its attempts share. Keys are created only
// here.
import { check, checkFields, checkKey, checkObject, checkPlatformId, checkText } from "./check.ts";
import { sourceFields } from "./option-names.ts";
import { randomUuid } from "./random-uuid.ts";
import type { AwardEntry, AwardOptions, DroppedAward } from "./types.ts";

/** `<cause>/<platformId>` must fit into a key of 255 characters, even with the longest platformId. */
const CAUSE_CHARS_MAX = 190;

/** The award as it was requested, valid or not. */
export function describeAward(platformId: string, amount: number, options: AwardOptions): DroppedAward {
  const { reason, source, cause } = options;
  // checkAward() rejects a cause or a member that is not a text.
  const isNamed = typeof cause === "string" && typeof platformId === "string";
  const { idempotencyKey = isNamed ? `${cause}/${platformId}` : randomUuid() } = options;
  return {
    platformId,
    amount,
    ...(reason !== undefined && { reason }),
    // A copy: every attempt sends the same content, even if the caller changes its own object.
    ...(source !== undefined && { source: { ...source } }),
    idempotencyKey,
  };
}

/** Throws `invalid_argument` unless the award can be sent. */
export function checkAward(
  { platformId, amount }: Pick<DroppedAward, "platformId" | "amount">,
  { reason, source, cause, idempotencyKey }: AwardOptions,
): void {
  checkPlatformId(platformId);
  check(Number.isSafeInteger(amount), "amount must be a safe integer");
  if (reason !== undefined) checkText("reason", reason);
  if (source !== undefined) checkFields("source", source, sourceFields);
  if (cause !== undefined) checkKey("cause", cause, CAUSE_CHARS_MAX);
  if (idempotencyKey !== undefined) checkKey("idempotencyKey", idempotencyKey);
}

/** The awards of a call, each with its key. `fields`: those that an entry may have. */
export function awardsOf(entries: AwardEntry[], fields: string): DroppedAward[] {
  check(Array.isArray(entries), "entries must be an array");
  return entries.map((entry) => {
    checkObject("every entry", entry, fields);
    const award = describeAward(entry.platformId, entry.amount, entry);
    checkAward(award, entry);
    return award;
  });
}
