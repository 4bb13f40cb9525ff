// Waits until workers have finished a reversal or a reset, with a progress bar and a warning if nothing moves.
import { AppError } from "#kernel/app-error.ts";
import { pause } from "#async/pause.ts";
import type { ReversalCounts } from "#domain/reversal.ts";
import { CliError } from "../cli-error.ts";
import type { Cli } from "../cli.ts";
import { openProgress } from "../show/progress.ts";
import { rootMessage } from "./servers.ts";

/** The interval between two checks whether it is done, which takes seconds. */
const LOOK_EVERY_MS = 200;
/** A free worker takes a run immediately, and a busy worker makes progress on it every second. */
const SILENCE_MS_MAX = 5_000;

/** `name`: as "reversal rev_…". `expected`: how many it will count. `hint`: where its state can be read. */
type Submitted = { clanId: string; name: string; expected: number; hint: string };
type Watched<Record> = { read(): Promise<Record | null>; isPaused(): Promise<boolean> };
type Running = Pick<ReversalCounts, "selected" | "reversed"> & { state: string };

/**
 * Returns the record when it is done, or when the queue is paused. `silenceMsMax`: how long it may make no progress
 * before a warning. Throws CliError `unreachable` if the record cannot be read.
 */
export async function waitUntilDone<Record extends Running>(
  cli: Cli,
  watched: Watched<Record>,
  submitted: Submitted,
  { silenceMsMax = SILENCE_MS_MAX }: { silenceMsMax?: number } = {},
): Promise<Record> {
  const { clanId, name, hint } = submitted;
  const removeInterruptHandler = cli.onInterrupt(`The ${name} is recorded and continues without this command. ${hint}`);
  try {
    return await watch(cli, watched, submitted, silenceMsMax);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message = `The ${name} of the clan "${clanId}" is recorded, but its progress cannot be read: ${rootMessage(error)}. It continues when the servers are available.`;
    throw new CliError("unreachable", message, { cause: error });
  } finally {
    removeInterruptHandler();
  }
}

async function watch<Record extends Running>(
  cli: Cli,
  { read, isPaused }: Watched<Record>,
  submitted: Submitted,
  silenceMsMax: number,
): Promise<Record> {
  const { name, expected } = submitted;
  let progress = await openProgress(cli.terminal, async () => expected);
  let [selected, changedAtMs] = [0, cli.clock.monotonicMs()];
  try {
    for (let seen = await read(); seen; seen = await read()) {
      progress.show(seen.reversed);
      if (seen.state === "done" || seen.state === "cancelled") return seen;
      const nowMs = cli.clock.monotonicMs();
      if (seen.selected > selected) [selected, changedAtMs] = [seen.selected, nowMs];
      if (nowMs - changedAtMs >= silenceMsMax) {
        progress.close();
        const paused = await isPaused();
        cli.warn(paused ? pausedOf(submitted) : silenceOf(seen, submitted, silenceMsMax));
        if (paused) return seen;
        progress = await openProgress(cli.terminal, async () => expected);
        changedAtMs = nowMs;
      }
      await pause(LOOK_EVERY_MS);
    }
  } finally {
    progress.close();
  }
  throw new CliError("internal", `The record of the ${name} was lost.`);
}

function silenceOf({ state }: Running, { name, hint }: Submitted, silenceMs: number): string {
  const why = state === "queued" ? "No worker has taken" : "The workers have made no progress with";
  return (
    `${why} the ${name} for ${silenceMs / 1_000} s. It is recorded and runs as soon as a worker can take it. ` +
    `Check that a worker runs, and with clanxp queue status what it is doing. This command waits; you can interrupt it without stopping the ${name.split(" ", 1)[0]}. ${hint}`
  );
}

function pausedOf({ name, hint }: Submitted): string {
  return `The queue is paused. The ${name} is recorded and runs after clanxp queue resume. This command does not wait for that. ${hint}`;
}
