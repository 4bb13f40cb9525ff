// reverse: previews a reversal of awards, prompts for confirmation, submits it, and waits until the workers have
// finished.
import type { Command } from "commander";
import { reversalPreview, reversalState } from "#contract/render.ts";
import type { Actor } from "#domain/audit.ts";
import type { ReversalPreview } from "#reversals/preview-reversal.ts";
import type { Reversal, ReversalBy } from "#domain/reversal.ts";
import type { Cli, CommandResult } from "../cli.ts";
import { notFound } from "../show/not-found.ts";
import type { Format } from "../show/format.ts";
import { examples, facts } from "../show/text.ts";
import { load } from "../open/load.ts";
import { openReversing, type Reversing } from "../open/queue.ts";
import { waitUntilDone } from "../open/wait-until-done.ts";
import { clanIdIn, reasonIn, type Faults } from "../parse/options.ts";
import { rejectFaults } from "../cli-error.ts";
import { requireConsent } from "../consent.ts";
import type { ReversalOptions } from "../parse/reversal-by.ts";

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
    .option("--reset <resetId>", "what this reset has taken, as clanxp reset list shows it")
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
      const caller = cli.by();
      cli.print(
        await openReversing(cli, clanId, (reversing) =>
          reverse(cli, reversing, { clanId, by, caller, reason, options }),
        ),
      );
    });
}

type Request = {
  clanId: string;
  by: ReversalBy;
  caller: Actor;
  reason: string | null;
  options: Pick<Options, "dryRun" | "yes">;
};

/** Previews, asks, submits and waits. */
export async function reverse(
  cli: Cli,
  reversing: Reversing,
  { clanId, by, caller, reason, options }: Request,
): Promise<CommandResult> {
  if ("resetId" in by) await requireReset(cli, clanId, by.resetId);
  const preview = await reversing.preview(clanId, by, { withinMs: null });
  const previewed = previewResult(preview);
  if (options.dryRun) return previewed;
  if (options.yes) cli.show(previewed.text);
  else await requireConsentTo(preview, cli);
  const { reversal } = await reversing.submit({ clanId, caller, by, reason, idempotencyKey: null });
  const { reversalId } = reversal;
  const submitted = {
    clanId,
    name: `reversal ${reversalId}`,
    expected: preview.awards,
    hint: `Its state is at GET /v0/clans/${clanId}/reversals/${reversalId}.`,
  };
  const { isPaused } = reversing;
  const done = await waitUntilDone(cli, { read: () => reversing.read(reversalId), isPaused }, submitted);
  return stateResult(done, previewed.json);
}

/** Of this clan: a selection of no awards is not an error, and would hide a mistyped id. */
async function requireReset(cli: Cli, clanId: string, resetId: string): Promise<void> {
  const { resets } = await cli.servers.stores();
  const reset = await resets.read(resetId);
  if (reset?.clanId !== clanId) throw notFound.reset(resetId);
}

function requireConsentTo(preview: ReversalPreview, cli: Cli): Promise<void> {
  const declined = "Nothing was reversed.";
  const unasked = `${declined} Add --yes to reverse ${summaryOf(preview, cli.format)}.`;
  return requireConsent(cli, {}, { question: `Reverse ${summaryOf(preview, cli.format)}?`, declined, unasked });
}

function summaryOf({ awards, members, amount }: ReversalPreview, { number }: Format): string {
  return `${number(awards)} awards of ${number(members)} members, ${number(amount)} XP in all`;
}

function previewResult(preview: ReversalPreview): CommandResult {
  const { awards, members, amount } = preview;
  return {
    json: reversalPreview(preview),
    text: ({ number }) =>
      facts([
        ["awards", `${number(awards)}, not reversed yet`],
        ["members", number(members)],
        ["amount", `${number(amount)} XP`],
      ]),
  };
}

function stateResult(reversal: Reversal, preview: object): CommandResult {
  const state = reversalState(reversal);
  return {
    exitCode: reversal.state === "done" ? 0 : 1,
    json: { clanId: reversal.clanId, preview, ...state },
    text: ({ number }) =>
      facts([
        ["reversal", state.reversalId],
        ["clan", reversal.clanId],
        ["status", state.status],
        ["selected", `${number(state.selected)} awards`],
        ["reversed", `${number(state.reversed)} awards`],
        ["skipped", `${number(state.skipped)} awards, reversed before`],
      ]),
  };
}
