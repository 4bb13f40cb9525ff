// Corrections beside the awards of a load: reversals as callers ask for them, and an operator's commands. Each is tried
// again until it is known to be done.
import { z } from "zod";
import { callerAwardKey } from "#domain/award-key.ts";
import type { CommandLine } from "../support/cli.ts";
import type { SentReversal } from "../support/corrections-oracle.ts";
import type { SentAward } from "../support/oracle.ts";
import { retryPause } from "./retry-pause.ts";
import { isOpen, post, sendRequest, type Target } from "./send.ts";

/** Longer than any fault of these tests lasts. */
const PATIENCE_MS = 90_000;

const Accepted = z.object({ reversalId: z.string() });
const State = z.object({ status: z.string(), selected: z.number(), reversed: z.number(), skipped: z.number() });

/** Reverses the awards of a match that are all known to be applied; resolves when the reversal is done. */
export async function sendReversal(
  target: Target,
  { key, matchId, awards }: { key: string; matchId: string; awards: readonly SentAward[] },
): Promise<SentReversal> {
  const path = `/v0/clans/${target.clanId}/reversals`;
  const { reversalId } = await untilKnown(`the reversal of ${matchId}`, async (turn) => {
    const { status, body } = await post(target, turn, path, { by: { matchId } }, key, {});
    if (status >= 400 && !isOpen(status)) throw new Error(`a reversal was rejected with ${status}`);
    return status === 202 ? Accepted.parse(body) : null;
  });
  const counts = await untilKnown(`the end of ${reversalId}`, async (turn) => {
    const { status, body } = await sendRequest(target, turn, `${path}/${reversalId}`, { headers: {} });
    const state = status === 200 ? State.parse(body) : null;
    return state?.status === "done" ? state : null;
  });
  const { selected, reversed, skipped } = counts;
  const keys = awards.map(({ platformId, key: ofCaller }) => ({ platformId, key: callerAwardKey(ofCaller) }));
  return { reversalId, counts: { selected, reversed, skipped }, awards: keys };
}

/** Runs a command until it succeeds. */
export async function runUntilDone(cli: CommandLine, ...args: string[]): Promise<void> {
  await untilKnown(args.join(" "), async () => {
    const { exitCode, stderr } = await cli.run(...args);
    if (exitCode === 2) throw new Error(stderr);
    return exitCode === 0 ? true : null;
  });
}

async function untilKnown<T>(what: string, read: (turn: number) => Promise<T | null>): Promise<T> {
  const endMs = performance.now() + PATIENCE_MS;
  for (let turn = 0; performance.now() < endMs; turn += 1) {
    const known = await read(turn);
    if (known !== null) return known;
    await retryPause(turn);
  }
  throw new Error(`not known in time: ${what}`);
}
