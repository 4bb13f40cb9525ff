// Reads what has an idempotency key, once a majority has stored it: until then it could be rolled back.
import { pause } from "#async/pause.ts";
import { AppError } from "#kernel/app-error.ts";
import { BOUND_PAUSE_MS, BOUND_TRIES_MAX } from "#mongo/bounds.ts";

/** `what` has the key. Throws AppError `unavailable` if no majority stores it. */
export async function readBound<Bound>(what: string, find: () => Promise<Bound | null>): Promise<Bound> {
  for (let tries = 1; ; tries += 1) {
    const bound = await find();
    if (bound) return bound;
    if (tries === BOUND_TRIES_MAX)
      throw new AppError("unavailable", `The ${what} of this key is not durable yet: try again shortly.`);
    await pause(BOUND_PAUSE_MS);
  }
}
