// Second attempts of an award or a batch of a key with a budget: they wait for the first one, but not for long.
import { BUDGET_WAIT_MS } from "#usecases/keys/bounds.ts";
import type { Reply } from "./http.ts";

/** Sends it again where it was rejected because the first attempt, on a busy machine, took longer than it waits. */
export async function waitedFor(send: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const sentAtMs = performance.now();
    const reply = await send();
    if (reply.status !== 503 || performance.now() - sentAtMs < BUDGET_WAIT_MS) return reply;
  }
}
