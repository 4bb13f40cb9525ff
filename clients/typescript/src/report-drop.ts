// Reports every dropped award; a failing report has no effect.
import type { ClanXpError } from "./error.ts";
import type { DroppedAward, QueueOptions } from "./types.ts";

/** A listener that throws or rejects stops nothing. */
export function reportDrop(
  onDropped: NonNullable<QueueOptions["onDropped"]>,
  award: DroppedAward,
  error: ClanXpError,
): void {
  const complain = (fault: unknown): void => console.error("@clanxp/client: onDropped failed:", fault);
  try {
    Promise.resolve(onDropped(award, error) as unknown).catch(complain);
  } catch (fault) {
    complain(fault);
  }
}

export function logDropped({ platformId, amount, idempotencyKey }: DroppedAward, { code, message }: ClanXpError): void {
  // A wrong argument may be a symbol, which a template literal cannot contain.
  const [xp, member, key] = [amount, platformId, idempotencyKey].map(String);
  console.error(`@clanxp/client: dropped an award of ${xp} for ${member} (${key}): ${code}: ${message}`);
}
