// The response to an attempt beyond the limit.
import { DashboardError } from "./dashboard-error.ts";

export function limitedError(retryAfterMs: number): DashboardError {
  const retryAfterS = Math.ceil(retryAfterMs / 1_000);
  return new DashboardError(
    "rate_limited",
    `Too many attempts to sign in. Try again in ${Math.ceil(retryAfterS / 60)} min.`,
    {
      retryAfterS,
    },
  );
}
