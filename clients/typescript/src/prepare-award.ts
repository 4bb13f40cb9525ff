// One award from its arguments: what is sent, and the key that all its tries share. The key is made here and nowhere
// else.
import { randomUUID } from "node:crypto";
import { check, checkFields, checkKey, checkPlatformId, checkText } from "./check.ts";
import type { AwardOptions, DroppedAward } from "./types.ts";

/** `<cause>/<platformId>` has to fit into a key of 255 characters with the longest platformId. */
const CAUSE_CHARS_MAX = 190;

/** The award as it was asked for, right or wrong. */
export function describeAward(platformId: string, amount: number, options: AwardOptions): DroppedAward {
  const { reason, source, cause } = options;
  // A cause or a member that is no text, and may not be made one, is refused by checkAward().
  const isNamed = typeof cause === "string" && typeof platformId === "string";
  const { idempotencyKey = isNamed ? `${cause}/${platformId}` : randomUUID() } = options;
  return {
    platformId,
    amount,
    ...(reason !== undefined && { reason }),
    // A copy: every try sends what the first one sent, whatever the caller does with its own object.
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
  if (source !== undefined) checkFields("source", source);
  if (cause !== undefined) checkKey("cause", cause, CAUSE_CHARS_MAX);
  if (idempotencyKey !== undefined) checkKey("idempotencyKey", idempotencyKey);
}
