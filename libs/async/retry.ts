// Repeats what fails while a server is unavailable.
import { isOutage } from "#async/failures.ts";
import { pause } from "#async/pause.ts";

export type Retrying = {
  pauseMs: number;
  /** Asked before each attempt. */
  mayGoOn: () => boolean;
  failed: (error: unknown) => void;
  /** Ends the pause. */
  signal?: AbortSignal;
};

/** Null if it may not go on. Throws what is no outage. */
export async function retry<T>(operation: () => Promise<T>, retrying: Retrying): Promise<T | null> {
  const { pauseMs, mayGoOn, failed, signal } = retrying;
  while (mayGoOn()) {
    try {
      return await operation();
    } catch (error) {
      if (!isOutage(error)) throw error;
      failed(error);
      await pause(pauseMs, signal);
    }
  }
  return null;
}
