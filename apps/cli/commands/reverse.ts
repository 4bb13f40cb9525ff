// reverse: previews a reversal of awards, asks, submits it, and waits until the workers have finished.
import type { Command } from "commander";
import { pause } from "#async/pause.ts";
import { REASON_CHARS_MAX } from "#domain/bounds.ts";
import { reversalState } from "#contract/render.ts";
import type { ReversalPreview } from "#usecases/reversals/preview-reversal.ts";
import type { Reversal, ReversalBy } from "#domain/reversal.ts";
import type { Cli, CommandResult } from "../cli.ts";
import { examples } from "../examples.ts";
import { openReversing, type Reversing } from "../open-reversing.ts";
import { clanIdIn, type Faults } from "../parse.ts";
import { openProgress } from "../progress.ts";
import { Refusal, refuseFaults } from "../refusal.ts";
import { reversalByIn, type ReversalOptions } from "../reversal-by.ts";
import { facts } from "../table.ts";

/** A reversal takes seconds; its end is noticed at most this late. */
const LOOK_EVERY_MS = 200;

type Options = ReversalOptions & { reason?: string; dryRun?: true; yes?: true };

export function addReverse(program: Command, cli: Cli): void {
  program
    .command("reverse")
    .summary("take awards back")
    .description(
      "Reverses awards: each selected award gets an entry that takes back what it applied. Shows what would be reversed, asks, and waits for " +
        "the workers. An award is reversed once, however often the command is run; interrupting it does not stop the reversal.",
    )
    .argument("<clanId>", "the clan")
    .option("--award <awardId>", "one award of the member, as the ledger shows it (with --member)")
    .option("--member <platformId>", "the awards of this member (with --from or --award)")
    .option("--batch <batchId>", "the awards of this batch")
    .option("--key <keyId>", "the awards that this API key sent (with --from)")
    .option("--match <matchId>", "the awards with this source.matchId")
    .option("--from <time>", "awards at this time or later, as 2026-11-21T18:00:00Z")
    .option("--to <time>", "awards before this time; without it up to now")
    .option("--reason <text>", "stored in the entries")
    .option("--dry-run", "only show what would be reversed")
    .option("--yes", "do not ask")
    .addHelpText(
      "after",
      examples([
        [
          "clanxp reverse rovers --key 0aB1cD2eF3gH4iJ5 --from 2026-11-21T18:00:00Z --dry-run",
          "what a leaked key gave since then",
        ],
        [
          "clanxp reverse rovers --match m-81 --reason 'match was rigged'",
          "shows the counts, asks, reverses and waits",
        ],
      ]),
    )
    .action(async (clanIdText: string, options: Options) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      const by = reversalByIn(options, faults);
      const reason = reasonIn(options.reason, faults);
      refuseFaults(faults);
      cli.answer(
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
  const previewed = previewAnswer(preview);
  if (options.dryRun) return previewed;
  if (options.yes) cli.show(previewed.text);
  else await requireConsent(cli, preview);
  const { reversal } = await reversing.submit({ clanId, caller: cli.by(), by, reason, idempotencyKey: null });
  const done = await waitUntilDone(cli, reversing, { reversalId: reversal.reversalId, awards: preview.awards });
  return stateAnswer(done, previewed.json);
}

async function requireConsent(cli: Cli, preview: ReversalPreview): Promise<void> {
  if (!cli.confirm) throw new Refusal("not_confirmed", `Nothing was reversed. Add --yes to reverse ${told(preview)}.`);
  if (await cli.confirm(`Reverse ${told(preview)}?`)) return;
  throw new Refusal("not_confirmed", "Nothing was reversed.");
}

async function waitUntilDone(
  cli: Cli,
  { read }: Reversing,
  { reversalId, awards }: { reversalId: string; awards: number },
): Promise<Reversal> {
  const progress = await openProgress(cli.terminal, async () => awards);
  try {
    for (let seen = await read(reversalId); seen; seen = await read(reversalId)) {
      progress.show(seen.reversed);
      if (seen.state === "done") return seen;
      await pause(LOOK_EVERY_MS);
    }
  } finally {
    progress.close();
  }
  throw new Refusal("internal", `The record of ${reversalId} is gone.`);
}

function told({ awards, members, amount }: ReversalPreview): string {
  return `${awards} awards of ${members} members, ${amount} XP in all`;
}

function previewAnswer({ awards, members, amount }: ReversalPreview): CommandResult {
  return {
    json: { awards, members, amount: amount.toString() },
    text: facts([
      ["awards", `${awards}, not reversed yet`],
      ["members", members.toString()],
      ["amount", `${amount} XP`],
    ]),
  };
}

function stateAnswer(reversal: Reversal, preview: object): CommandResult {
  const state = reversalState(reversal);
  return {
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
