// Further attempts of an award or a batch under the same idempotency key.
import { BUDGET_WAIT_MS } from "#keys/bounds.ts";
import type { Reply } from "./http.ts";

/**
 * A second attempt waits for the first one, but not for long: sends it again where it was rejected because the first
 * attempt, on a busy machine, took longer than it waits.
 */
export async function waitedFor(send: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const sentAtMs = performance.now();
    const reply = await send();
    if (reply.status !== 503 || performance.now() - sentAtMs < BUDGET_WAIT_MS) return reply;
  }
}

/** Sends it again where a busy machine did not apply it before the deadline. */
export async function answered(send: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await send();
    if (reply.status !== 503) return reply;
  }
}
