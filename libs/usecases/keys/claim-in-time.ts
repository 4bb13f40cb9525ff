// A claim on a budget for a request that waits: it succeeds in time, or it counts nothing.
import { withTimeout } from "#async/with-timeout.ts";
import { AppError } from "#domain/app-error.ts";
import { BUDGET_CLAIM_MS_MAX } from "#usecases/keys/bounds.ts";

/**
 * What `claiming` gives. Throws AppError `unavailable` when that takes too long; `giveBack` is called with what is
 * claimed after all, behind the answer.
 */
export function claimInTime<T>(
  claiming: Promise<T>,
  giveBack: (late: T) => Promise<unknown>,
  withinMs = BUDGET_CLAIM_MS_MAX,
): Promise<T> {
  return withTimeout(claiming, Math.min(withinMs, BUDGET_CLAIM_MS_MAX), () => {
    void claiming.then(giveBack).catch(() => {});
    return new AppError("unavailable", "The API key's budget cannot be read. Nothing was applied: try again shortly.");
  });
}
