// reverse: previews a reversal of awards, prompts for confirmation, submits it, and waits until the workers have
// finished.
import type { Command } from "commander";
import { AppError } from "#domain/app-error.ts";
import { pause } from "#async/pause.ts";
import { REASON_CHARS_MAX } from "#domain/bounds.ts";
import { reversalState } from "#contract/render.ts";
import type { ReversalPreview } from "#usecases/reversals/preview-reversal.ts";
import type { Reversal, ReversalBy } from "#domain/reversal.ts";
import type { Cli, CommandResult } from "../cli.ts";
import { examples, facts } from "../show/text.ts";
import { load } from "../open/load.ts";
import { openReversing, type Reversing } from "../open/queue.ts";
import { clanIdIn, type Faults } from "../parse/options.ts";
import { openProgress } from "../show/progress.ts";
import { CliError, rejectFaults } from "../cli-error.ts";
import type { ReversalOptions } from "../parse/reversal-by.ts";
import { rootMessage } from "../open/servers.ts";

/** The interval between two checks whether the reversal is done, which takes seconds. */
const LOOK_EVERY_MS = 200;
/** A free worker takes a reversal immediately, and a busy worker makes progress on it every second. */
const SILENCE_MS_MAX = 5_000;

type Options = ReversalOptions & { reason?: string; dryRun?: true; yes?: true };

export function addReverse(program: Command, cli: Cli): void {
  program
    .command("reverse")
    .summary("reverse awards")
    .description(
      "Reverses awards: each selected award gets an entry that takes back what it applied. Shows what would be reversed, asks for confirmation, and waits for " +
        "the workers, however long that takes. If the queue is paused, it does not wait and exits with code 1. An award is reversed once, however often the command is run; " +
        "interrupting it does not stop the reversal.",
    )
    .argument("<clanId>", "the clan")
    .option("--award <awardId>", "one award of the member, as the ledger shows it (with --member)")
    .option("--member <platformId>", "the awards of this member (with --from or --award)")
    .option("--batch <batchId>", "the awards of this batch")
    .option("--key <keyId>", "the awards that were sent with this API key (with --from)")
    .option("--match <matchId>", "the awards with this source.matchId")
    .option("--from <time>", "awards at this time or later, as 2026-11-21T18:00:00Z")
    .option("--to <time>", "awards before this time (default: now)")
    .option("--reason <text>", "stored in the entries")
    .option("--dry-run", "only show what would be reversed")
    .option("--yes", "do not ask")
    .addHelpText(
      "after",
      examples([
        [
          "clanxp reverse rovers --key 0aB1cD2eF3gH4iJ5 --from 2026-11-21T18:00:00Z --dry-run",
          "count what a leaked key has awarded since then",
        ],
        [
          "clanxp reverse rovers --match m-81 --reason 'match was rigged'",
          "shows the counts, asks, reverses and waits",
        ],
      ]),
    )
    .action(async (clanIdText: string, options: Options) => {
      const { reversalByIn } = await load.reversalBy();
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      const by = reversalByIn(options, faults);
      const reason = reasonIn(options.reason, faults);
      rejectFaults(faults);
      cli.print(
        await openReversing(cli, clanId, (reversing) => reverse(cli, reversing, { clanId, by, reason, options })),
      );
    });
}

type Request = { clanId: string; by: ReversalBy; reason: string | null; options: Options };

async function reverse(
  cli: Cli,
  reversing: Reversing,
  { clanId, by, reason, options }: Request,
): Promise<CommandResult> {
  const preview = await reversing.preview(clanId, by, { withinMs: null });
  const previewed = previewResult(preview);
  if (options.dryRun) return previewed;
  if (options.yes) cli.show(previewed.text);
  else await requireConsent(cli, preview);
  const { reversal } = await reversing.submit({ clanId, caller: cli.by(), by, reason, idempotencyKey: null });
  const submitted = { clanId, reversalId: reversal.reversalId, awards: preview.awards };
  return stateResult(await waitUntilDone(cli, reversing, submitted), previewed.json);
}

async function requireConsent(cli: Cli, preview: ReversalPreview): Promise<void> {
  if (!cli.confirm)
    throw new CliError("not_confirmed", `Nothing was reversed. Add --yes to reverse ${summaryOf(preview)}.`);
  if (await cli.confirm(`Reverse ${summaryOf(preview)}?`)) return;
  throw new CliError("not_confirmed", "Nothing was reversed.");
}

type Submitted = { clanId: string; reversalId: string; awards: number };

async function waitUntilDone(cli: Cli, reversing: Reversing, submitted: Submitted): Promise<Reversal> {
  const { clanId, reversalId } = submitted;
  const removeInterruptHandler = cli.onInterrupt(
    `The reversal ${reversalId} is recorded and continues without this command. ${statusHint(submitted)}`,
  );
  try {
    return await watch(cli, reversing, submitted);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message = `The reversal ${reversalId} of the clan "${clanId}" is recorded, but its progress cannot be read: ${rootMessage(error)}. It continues when the servers are available.`;
    throw new CliError("unreachable", message, { cause: error });
  } finally {
    removeInterruptHandler();
  }
}

/** Returns the reversal when it is done, or when the queue is paused. */
async function watch(cli: Cli, { read, isPaused }: Reversing, submitted: Submitted): Promise<Reversal> {
  const { reversalId, awards } = submitted;
  let progress = await openProgress(cli.terminal, async () => awards);
  let [selected, changedAtMs] = [0, cli.clock.monotonicMs()];
  try {
    for (let seen = await read(reversalId); seen; seen = await read(reversalId)) {
      progress.show(seen.reversed);
      if (seen.state === "done") return seen;
      const nowMs = cli.clock.monotonicMs();
      if (seen.selected > selected) [selected, changedAtMs] = [seen.selected, nowMs];
      if (nowMs - changedAtMs >= SILENCE_MS_MAX) {
        progress.close();
        const paused = await isPaused();
        cli.warn(paused ? pausedOf(submitted) : silenceOf(seen, submitted));
        if (paused) return seen;
        progress = await openProgress(cli.terminal, async () => awards);
        changedAtMs = nowMs;
      }
      await pause(LOOK_EVERY_MS);
    }
  } finally {
    progress.close();
  }
  throw new CliError("internal", `The record of ${reversalId} was lost.`);
}

function silenceOf({ state }: Reversal, submitted: Submitted): string {
  const { reversalId } = submitted;
  const why = state === "queued" ? "No worker has taken" : "The workers have made no progress with";
  return (
    `${why} the reversal ${reversalId} for ${SILENCE_MS_MAX / 1_000} s. It is recorded and runs as soon as a worker can take it. ` +
    `Check that a worker runs, and with clanxp queue status what it is doing. This command waits; you can interrupt it without stopping the reversal. ${statusHint(submitted)}`
  );
}

function pausedOf(submitted: Submitted): string {
  return `The queue is paused. The reversal ${submitted.reversalId} is recorded and runs after clanxp queue resume. This command does not wait for that. ${statusHint(submitted)}`;
}

function statusHint({ clanId, reversalId }: Submitted): string {
  return `Its state is at GET /v0/clans/${clanId}/reversals/${reversalId}.`;
}

function summaryOf({ awards, members, amount }: ReversalPreview): string {
  return `${awards} awards of ${members} members, ${amount} XP in all`;
}

function previewResult({ awards, members, amount }: ReversalPreview): CommandResult {
  return {
    json: { awards, members, amount: amount.toString() },
    text: facts([
      ["awards", `${awards}, not reversed yet`],
      ["members", members.toString()],
      ["amount", `${amount} XP`],
    ]),
  };
}

function stateResult(reversal: Reversal, preview: object): CommandResult {
  const state = reversalState(reversal);
  return {
    exitCode: reversal.state === "done" ? 0 : 1,
    json: { clanId: reversal.clanId, preview, ...state },
    text: facts([
      ["reversal", state.reversalId],
      ["clan", reversal.clanId],
      ["status", state.status],
      ["selected", `${state.selected} awards`],
      ["reversed", `${state.reversed} awards`],
      ["skipped", `${state.skipped} awards, reversed before`],
    ]),
  };
}

function reasonIn(text: string | undefined, faults: Faults): string | null {
  if (text === undefined) return null;
  const isFit = [...text].length <= REASON_CHARS_MAX && text.isWellFormed() && !text.includes("\0");
  if (!isFit) faults.push(`--reason has at most ${REASON_CHARS_MAX} characters`);
  return text;
}
