// destination sync: compares the members' roles with their ranks now, and changes what differs.
import type { Command } from "commander";
import type { ShownDestination } from "#domain/destination.ts";
import type { ManageDestinations } from "#delivery/manage-destinations.ts";
import type { SyncResult } from "#delivery/call-ports.ts";
import type { Cli, CommandResult } from "../cli.ts";
import { CliError, rejectFaults } from "../cli-error.ts";
import { openDestinations } from "../open/destinations.ts";
import { platformIdIn, type Faults } from "../parse/options.ts";
import { rejectedDestination, shownOrThrow } from "../show/destination.ts";
import { openProgress } from "../show/progress.ts";
import { shownNames } from "../open/shown-names.ts";
import { withName, type ShownNames } from "../show/names.ts";
import { examples, facts, table } from "../show/text.ts";

/** Longer than the slowest comparison of the largest group: 10 requests a minute, thousands of members. */
const WAIT_MS_MAX = 12 * 3_600_000;
const LOOK_EVERY_MS = 1_000;
const DIFFERENCES_SHOWN = 50;

export function addDestinationSync(parent: Command, cli: Cli): void {
  parent
    .command("sync")
    .summary("make roles follow the ranks now")
    .description(
      "Compares the roles of all members in the Roblox group or Discord server with their ranks, changes what differs, and waits until that is done. " +
        "--dry-run changes nothing and lists what differs. A notifier must run.",
    )
    .argument("<destinationId>", "a destination that assigns roles, as clanxp destination list shows it")
    .option("--member <platformId>", "only this member")
    .option("--dry-run", "change nothing, and list what would change")
    .addHelpText(
      "after",
      examples([
        ["clanxp destination sync dst_0mi6qz3k1a2b3c4d --dry-run", "who has another role than their rank gives"],
        ["clanxp destination sync dst_0mi6qz3k1a2b3c4d --member 4711", "one member, now"],
      ]),
    )
    .action(async (destinationId: string, options: { member?: string; dryRun?: true }) => {
      const faults: Faults = [];
      const platformId = options.member === undefined ? null : platformIdIn(options.member, faults);
      rejectFaults(faults);
      const { manage } = await openDestinations(cli);
      const shown = await shownOrThrow(manage.show, destinationId);
      const dryRun = options.dryRun ?? false;
      const request = { platformId, dryRun, waitMs: WAIT_MS_MAX };
      const stop = platformId === null && !dryRun ? await showProgress(cli, manage, shown) : () => {};
      const synced = await manage.sync(destinationId, request).finally(stop);
      if (synced.kind === "rejected") throw rejectedDestination(synced);
      if (!synced.result)
        throw new CliError("no_notifier", "The notifier still compares roles. It goes on without this command.");
      const differing = synced.result.differences.slice(0, DIFFERENCES_SHOWN).map((one) => one.platformId);
      cli.print(syncResult(synced.result, dryRun, await shownNames(cli, shown.clanId, differing)));
    });
}

/** Shows how many members are done, on a terminal. Returns a function that ends this. */
async function showProgress(
  cli: Cli,
  { show }: ManageDestinations,
  { destinationId, outcomes }: ShownDestination,
): Promise<() => void> {
  const total = sum(outcomes);
  const progress = await openProgress(cli.terminal, async () => total);
  if (!cli.terminal) return () => {};
  const timer = setInterval(() => {
    show.one(destinationId).then(
      (now) => now?.outcomes && progress.show(sum(now.outcomes) - now.outcomes.waiting),
      // The result, or its error, is printed in any case.
      () => {},
    );
  }, LOOK_EVERY_MS);
  return () => {
    clearInterval(timer);
    progress.close();
  };
}

function sum(outcomes: ShownDestination["outcomes"]): number {
  return Object.values(outcomes ?? {}).reduce((all, one) => all + one, 0);
}

function syncResult({ members, changed, differences }: SyncResult, dryRun: boolean, names: ShownNames): CommandResult {
  const counts = facts([
    ["members", `${members} compared`],
    ["changed", dryRun ? "0: nothing is changed by --dry-run" : changed.toString()],
    ["differences", differences.length.toString()],
  ]);
  const rows = differences
    .slice(0, DIFFERENCES_SHOWN)
    .map(({ platformId, rank, has, wants }) => [
      withName(names, platformId),
      rank ?? "none",
      has.join(", ") || "none",
      wants.join(", ") || "none",
    ]);
  const listed = rows.length === 0 ? "" : `\n\n${table(["MEMBER", "RANK", "HAS", "WANTS"], rows)}`;
  const more =
    differences.length > rows.length ? `\n… and ${differences.length - rows.length} more; --json lists all` : "";
  return { json: { members, changed, differences }, text: `${counts}${listed}${more}` };
}
