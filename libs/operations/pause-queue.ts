// Pauses or resumes the queue of batches and reversals. Redis stores that state, so the audit record is written first:
// a pause without a record never happens.
import type { Actor } from "#domain/audit.ts";
import type { AuditStore } from "#audit/ports.ts";

/** `pause` false resumes. Throws AppError if the record could not be written; then nothing was changed. */
export type PauseQueue = (pause: boolean, by: Actor) => Promise<void>;

export function makePauseQueue(deps: {
  queue: { status(): Promise<{ paused: boolean }>; pause(): Promise<void>; resume(): Promise<void> };
  audit: Pick<AuditStore, "note">;
}): PauseQueue {
  const { queue, audit } = deps;

  return async function pauseQueue(pause, by) {
    const { paused } = await queue.status();
    const action = pause ? "queue.pause" : "queue.resume";
    await audit.note(by, { action, clanId: null, target: "batches", before: { paused }, after: { paused: pause } });
    await (pause ? queue.pause() : queue.resume());
  };
}
