// A claim on a budget for a waiting request: it succeeds in time, or it counts nothing.
import { withTimeout } from "#async/with-timeout.ts";
import { AppError } from "#kernel/app-error.ts";
import { BUDGET_CLAIM_MS_MAX } from "#keys/bounds.ts";

/**
 * The result of `claiming`. Throws AppError `unavailable` if that takes too long. If the claim succeeds later,
 * `refund` is called with it after the response.
 */
export function claimInTime<T>(
  claiming: Promise<T>,
  refund: (late: T) => Promise<unknown>,
  withinMs = BUDGET_CLAIM_MS_MAX,
): Promise<T> {
  return withTimeout(claiming, Math.min(withinMs, BUDGET_CLAIM_MS_MAX), () => {
    void claiming.then(refund).catch(() => {});
    return new AppError("unavailable", "The budget cannot be read. Nothing was applied: try again shortly.");
  });
}
