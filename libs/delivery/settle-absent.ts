// What becomes of deliveries whose events have no content any more: the person was erased, or the event was deleted by
// age before it could be sent.
import type { DeliverDeps } from "#delivery/delivery-run.ts";
import type { DeliveryResult, HeldDestination } from "#delivery/ports.ts";

/** `missed`: they have ended, and are counted. */
export type Absent = { erased: DeliveryResult[]; missed: readonly number[] };

/** Null if the destination is not held any more. Throws AppError `unavailable`. */
export type SettleAbsent = (numbers: readonly number[]) => Promise<Absent | null>;

const AGED = "deleted by age before it could be sent";
const ERASED = { state: "erased", attempt: null, tried: null, counts: false, nextAt: null, reason: null } as const;

export function makeSettleAbsent(
  { feed, runs }: Pick<DeliverDeps, "feed" | "runs">,
  held: HeldDestination,
): SettleAbsent {
  return async function settleAbsent(numbers) {
    if (numbers.length === 0) return { erased: [], missed: [] };
    const known = await feed.listErased(held.destination.clanId, numbers);
    const missed = numbers.filter((n) => !known.has(n));
    if (missed.length > 0 && !(await runs.miss(held, { numbers: missed, reason: AGED }))) return null;
    return { erased: [...known].map((n) => ({ n, ...ERASED })), missed };
  };
}
