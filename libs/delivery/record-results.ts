// Records what became of deliveries, and of their destination.
//
// Invariant: what is stored of a destination is what the last decision said: earlier ones are stored before it.
import { logFailures } from "#async/failures.ts";
import { retry } from "#async/retry.ts";
import { LAST_DELIVERED_EVERY_MS, STORE_AGAIN_MS } from "#delivery/bounds.ts";
import type { DeliverDeps, DeliveryRun } from "#delivery/delivery-run.ts";
import type { Decision } from "#delivery/health.ts";
import type { DeliveryResult, RunChange } from "#delivery/ports.ts";

/** Writes until MongoDB has it, or another process may hold the destination and makes the requests again. */
export function makeRecord({ runs, deliveries, clock, log }: DeliverDeps, at: DeliveryRun) {
  const { held } = at;
  const { destinationId } = held.destination;
  const logFailure = logFailures(log, "delivery.store_failed", { destinationId });
  let deliveredStoredMs = -Infinity;
  let storedFailures = held.run.failures;
  let lastNoted: Promise<unknown> = Promise.resolve();

  const untilDone = <T>(operation: () => Promise<T>): Promise<T | null> =>
    retry(operation, {
      pauseMs: STORE_AGAIN_MS,
      mayGoOn: held.isHeld,
      failed(error) {
        // What failed may be made late, so that what is stored differs from what is known here.
        at.isOutdated = true;
        logFailure(error);
      },
    });

  /** Successes one after the other differ in their time alone, which is stored now and then. */
  function isWorthStoring(change: RunChange): boolean {
    const { state, restUntil, probes = 0, failures = storedFailures } = change;
    const isNews = state !== undefined || restUntil !== undefined || probes > 0 || failures !== storedFailures;
    if (!isNews && clock.monotonicMs() - deliveredStoredMs < LAST_DELIVERED_EVERY_MS) return false;
    return Object.keys(change).length > 0;
  }

  async function note({ change, disable }: Decision): Promise<boolean> {
    if (disable !== null) return runs.disable(held, { reason: disable, at: held.now() });
    if (!isWorthStoring(change)) return true;
    if (!(await runs.note(held, change))) return false;
    if (change.lastDeliveredAt) deliveredStoredMs = clock.monotonicMs();
    storedFailures = change.failures ?? storedFailures;
    return true;
  }

  /** `before`: what the decisions before this one have stored, so that none of them replaces it. */
  async function record(
    results: readonly DeliveryResult[],
    decision: Decision | null,
    before: Promise<unknown>,
  ): Promise<boolean> {
    const isStored = await untilDone(async () => results.length === 0 || deliveries.record(destinationId, results));
    await before;
    if (isStored === null || !decision) return isStored ?? false;
    return ((await untilDone(() => note(decision))) ?? false) && isStored;
  }

  return {
    untilDone,
    /** To be called in the order of the decisions. False if not all of it may be stored. */
    record(results: readonly DeliveryResult[], decision: Decision | null): Promise<boolean> {
      const recorded = record(results, decision, lastNoted);
      lastNoted = recorded.catch(() => {});
      return recorded;
    },
  };
}
