// One call: its attempts, with the same key and payload, until one succeeds, a retry is useless, or the deadline is
// near.
import { attempt, type Answer, type Config, type Request } from "./attempt.ts";
import { backoffMs } from "./backoff-ms.ts";
import { checkNumber } from "./check.ts";
import { ClanXpError, type ErrorDetails } from "./error.ts";
import { restate } from "./restate.ts";
import { timerMs } from "./timer-ms.ts";
import type { CallOptions } from "./types.ts";

/** The limits of a call: checked, and completed from those of the client. */
export function callSettings(defaults: Pick<Config, "timeoutMs" | "deadlineMs" | "retries">, options: CallOptions) {
  const {
    signal,
    timeoutMs = defaults.timeoutMs,
    deadlineMs = defaults.deadlineMs,
    retries = defaults.retries,
  } = options;
  checkNumber("timeoutMs", timeoutMs, 0);
  checkNumber("deadlineMs", deadlineMs, 0);
  checkNumber("retries", retries, 0);
  return { signal, timeoutMs, deadlineMs, retries };
}

/** Throws the error of the last attempt. `idempotencyKey`: the award's key, for the error. */
export async function call(
  config: Config,
  request: Request,
  options: CallOptions,
  idempotencyKey?: string,
): Promise<Answer> {
  const { signal, timeoutMs, deadlineMs, retries } = callSettings(config, options);
  const deadline = performance.now() + deadlineMs;
  const about = (attempts: number) => ({ attempts, ...(idempotencyKey !== undefined && { idempotencyKey }) });
  for (let attempts = 1; ; attempts += 1) {
    if (signal?.aborted) throw abortedError(about(attempts - 1));
    const outcome = await attempt(config, request, Math.min(timeoutMs, deadline - performance.now()), signal);
    if ("answer" in outcome) return outcome.answer;
    const waitMs = Math.max(backoffMs(attempts), outcome.afterMs);
    if (!outcome.again || attempts > retries || performance.now() + waitMs >= deadline)
      throw restate(outcome.error, about(attempts));
    await pause(waitMs, signal);
  }
}

export function abortedError(details: ErrorDetails = {}): ClanXpError {
  return new ClanXpError("aborted", "The call was aborted.", { retryable: true, ...details });
}

/** Resolves after this time, or immediately when the signal fires. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, timerMs(ms));
    signal?.addEventListener("abort", end);
  });
}
