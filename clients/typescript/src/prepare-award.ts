// One award from its arguments: what is sent, and the key that all its tries share. The key is made here and nowhere
// else.
import { randomUUID } from "node:crypto";
import { check, checkKey, checkObject, checkPlatformId, checkText } from "./check.ts";
import type { AwardOptions, DroppedAward } from "./types.ts";

/** `<cause>/<platformId>` has to fit into a key of 255 characters with the longest platformId. */
const CAUSE_CHARS_MAX = 190;

/** The award as it was asked for, right or wrong. */
export function describeAward(platformId: string, amount: number, options: AwardOptions): DroppedAward {
  const { reason, source, cause, idempotencyKey } = options;
  return {
    platformId,
    amount,
    ...(reason !== undefined && { reason }),
    // A copy: every try sends what the first one sent, whatever the caller does with its own object.
    ...(source !== undefined && { source: { ...source } }),
    idempotencyKey:
      idempotencyKey !== undefined ? idempotencyKey : cause === undefined ? randomUUID() : `${cause}/${platformId}`,
  };
}

/** Throws `invalid_argument` unless the award can be sent. */
export function checkAward(
  { platformId, amount }: DroppedAward,
  { reason, source, cause, idempotencyKey }: AwardOptions,
): void {
  checkPlatformId(platformId);
  check(Number.isSafeInteger(amount), "amount must be a safe integer");
  if (reason !== undefined) checkText("reason", reason);
  if (source !== undefined) {
    checkObject("source", source);
    for (const [name, value] of Object.entries(source)) {
      if (typeof value === "string") checkText(`source.${name}`, value);
      else check(value === undefined || typeof value === "boolean", `source.${name} must be a string or a boolean`);
    }
  }
  if (cause !== undefined) checkKey("cause", cause, CAUSE_CHARS_MAX);
  if (idempotencyKey !== undefined) checkKey("idempotencyKey", idempotencyKey);
}
