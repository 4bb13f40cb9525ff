// Rests a BullMQ worker whose commands Redis rejects: after an error reply BullMQ asks again immediately, thousands of
// times per second. It resumes when Redis is found to do its work, and after one pause if only its own commands fail.
import type { Worker } from "bullmq";
import { REJECTED_LOG_EVERY_MS } from "#queue/bounds.ts";
import { CHECK_REJECTED_MS } from "#redis/bounds.ts";
import { isErrorReply } from "#redis/redis-fault.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";

/** `check` throws while Redis cannot do its work. The result ends the rest; the worker is then to be closed. */
export function restWhileRejected(
  worker: Pick<Worker, "on" | "pause" | "resume">,
  { check, clock, log }: { check: () => Promise<void>; clock: Clock; log: Log },
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let [closed, resting] = [false, false];
  let loggedAtMs = -Infinity;

  function wait(reason: unknown): void {
    if (closed) return;
    if (clock.monotonicMs() - loggedAtMs >= REJECTED_LOG_EVERY_MS) {
      loggedAtMs = clock.monotonicMs();
      log.warn({ err: reason }, "worker.rejected_by_redis");
    }
    timer = setTimeout(() => void check().then(resume, wait), CHECK_REJECTED_MS);
  }

  function resume(): void {
    resting = false;
    if (!closed) void worker.resume();
  }

  async function rest(error: unknown): Promise<void> {
    resting = true;
    void worker.pause(true);
    try {
      await check();
      // Only the worker's own command is rejected.
      wait(error);
    } catch (fault) {
      wait(fault);
    }
  }

  worker.on("error", (error) => {
    if (isErrorReply(error) && !resting && !closed) void rest(error);
  });
  return () => {
    closed = true;
    clearTimeout(timer);
  };
}
