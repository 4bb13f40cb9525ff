// reset: previews a reset of a clan's XP, prompts for confirmation, submits it, and waits until the workers have
// finished, unless its time is still to come.
import type { Command } from "commander";
import { isWithinReach, RESET_DAYS_MAX } from "#domain/reset.ts";
import { makeIds } from "#process/ids.ts";
import { makePreviewReset, type ResetPreview } from "#resets/preview-reset.ts";
import { makeSubmitReset } from "#resets/submit-reset.ts";
import type { Cli, CommandResult } from "../cli.ts";
import { CliError, rejectFaults } from "../cli-error.ts";
import { requireConsent } from "../consent.ts";
import { makeProjectAll } from "../open/fresh-lists.ts";
import { withQueue } from "../open/queue.ts";
import { silentLog } from "../open/servers.ts";
import { waitUntilDone } from "../open/wait-until-done.ts";
import { clanIdIn, reasonIn, timestampIn, type Faults } from "../parse/options.ts";
import { unknownClan } from "../show/not-found.ts";
import { resetResult } from "../show/reset.ts";
import { examples, facts } from "../show/text.ts";
import { addResetCancel } from "./reset-cancel.ts";
import { addResetList } from "./reset-list.ts";
import { addResetShow } from "./reset-show.ts";

/** A reset begins when no process can commit an entry of its time any more, which takes some seconds. */
const SILENCE_MS_MAX = 20_000;

type Options = { at?: string; keep?: string; reason?: string; dryRun?: true; yes?: true };

export function addReset(program: Command, cli: Cli): void {
  const reset = program
    .command("reset")
    .summary("take the XP that members had at a time: also list, show, cancel")
    .description(
      "Each member of the clan loses the XP that they had at a time, except a share of it. What was awarded after that time stays, whenever the reset runs. " +
        "Memberships stay; ranks follow the XP. Shows what would be taken, asks for confirmation, and waits for the workers, unless the time is still to come. " +
        "Interrupting it does not stop the reset. Undo it with clanxp reverse --reset.",
    )
    .argument("<clanId>", "the clan")
    .option("--at <time|now>", `the time, at most ${RESET_DAYS_MAX} days ahead or back (default: now)`)
    .option("--keep <percent>", "the share that members keep, 0 to 100, rounded down (default: 0)")
    .option("--reason <text>", "stored in the entries")
    .option("--dry-run", "only show what would be taken now")
    .option("--yes", "do not ask")
    .addHelpText(
      "after",
      examples([
        ["clanxp reset rovers --dry-run", "how much XP a reset would take now, and from how many members"],
        [
          "clanxp reset rovers --at 2031-06-01T00:00:00Z --keep 20 --reason 'Season 4' --yes",
          "at the end of the season everyone keeps a fifth",
        ],
      ]),
    )
    .action(async (clanIdText: string, options: Options) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      const at = atIn(options.at, cli.clock.now(), faults);
      const keepPercent = keepIn(options.keep, faults);
      const reason = reasonIn(options.reason, faults);
      rejectFaults(faults);
      cli.print(await run(cli, { clanId, at, keepPercent, reason, options }));
    });
  addResetList(reset, cli);
  addResetShow(reset, cli);
  addResetCancel(reset, cli);
}

type Request = { clanId: string; at: Date | null; keepPercent: number; reason: string | null; options: Options };

async function run(cli: Cli, { options, ...request }: Request): Promise<CommandResult> {
  const { clanId } = request;
  const by = cli.by();
  const { clans, resets, selection } = await cli.servers.preparedStores();
  const { clock } = cli;
  const catchUp = makeProjectAll(cli, "the list of members");
  const previewReset = makePreviewReset({ clans, selection, catchUp, clock });
  const preview = await previewReset(request, { withinMs: null });
  if (!preview) throw await unknownClan(clanId, clans);
  const previewed = previewResult(preview);
  if (options.dryRun) return previewed;
  if (options.yes) cli.show(previewed.text);
  else await requireConsentTo(preview, request, cli);

  return withQueue(cli.servers, async ({ reversals: queue, isPaused }) => {
    const ids = makeIds(clock);
    const submitReset = makeSubmitReset({ resets, selection, queue, clock, ids, log: silentLog });
    const submitted = await submitReset(request, by);
    if (submitted.kind === "out_of_reach") throw new CliError("usage", submitted.detail);
    if (submitted.kind === "too_many_resets") throw new CliError(submitted.kind, submitted.detail);
    const { reset } = submitted;
    if (reset.state === "scheduled") return resetResult(reset, { preview: previewed.json });
    const { reversalId: resetId } = reset;
    const watched = { read: () => resets.read(resetId), isPaused: () => isPaused().catch(() => false) };
    const expected = preview.members;
    const hint = `Its state is shown by: clanxp reset show ${resetId}`;
    const waited = { clanId, name: `reset ${resetId}`, expected, hint };
    const done = await waitUntilDone(cli, watched, waited, { silenceMsMax: SILENCE_MS_MAX });
    return resetResult(done, { preview: previewed.json });
  });
}

function requireConsentTo(preview: ResetPreview, { at }: Pick<Request, "at">, cli: Cli): Promise<void> {
  const { number, time } = cli.format;
  const when = at === null ? "now" : `at ${time(at)}`;
  const what = `${number(preview.amount)} XP of ${number(preview.members)} members`;
  const declined = "Nothing was reset.";
  const unasked = `${declined} Add --yes to take ${what} ${when}.`;
  return requireConsent(cli, {}, { question: `Take ${what} ${when}?`, declined, unasked });
}

function previewResult({ members, amount }: ResetPreview): CommandResult {
  return {
    json: { members, amount: amount.toString() },
    text: ({ number }) =>
      facts([
        ["members", `${number(members)} would lose XP now`],
        ["amount", `${number(amount)} XP`],
      ]),
  };
}

/** Null: now. */
function atIn(text: string | undefined, now: Date, faults: Faults): Date | null {
  if (text === undefined || text === "now") return null;
  const before = faults.length;
  const at = timestampIn("--at", text, faults);
  if (faults.length === before && !isWithinReach(at, now))
    faults.push(`--at is at most ${RESET_DAYS_MAX} days ahead or back, not ${at.toISOString()}`);
  return at;
}

function keepIn(text: string | undefined, faults: Faults): number {
  if (text === undefined) return 0;
  const percent = /^\d{1,3}$/.test(text) ? Number(text) : -1;
  if (percent < 0 || percent > 100) faults.push(`--keep is a whole number from 0 to 100, not "${text}"`);
  return percent;
}
