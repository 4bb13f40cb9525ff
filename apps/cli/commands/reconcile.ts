// reconcile: verifies the ledger.
import type { Command } from "commander";
import { awardIdOf } from "#contract/award-id.ts";
import { differenceKinds, type Difference } from "#operations/difference.ts";
import { makeReconcile, type ReconcileReport } from "#operations/reconcile.ts";
import type { CommandResult, Cli } from "../cli.ts";
import { examples, facts, table } from "../show/text.ts";
import { clanIdIn, type Faults } from "../parse/options.ts";
import { openProgress } from "../show/progress.ts";
import { rejectFaults } from "../cli-error.ts";
import { unknownClan } from "../show/not-found.ts";

export function addReconcile(program: Command, cli: Cli): void {
  program
    .command("reconcile")
    .summary("verify the ledger")
    .description(
      "Reads all stored data, and verifies that each member's XP is the sum of its entries, that no entry is missing, " +
        "that each reversal takes back one award, and that finished batches and the standings of boards agree with the ledger. Awards can continue meanwhile. It changes nothing. Exits with code 1 if anything differs.",
    )
    .option("--clan <clanId>", "only this clan")
    .addHelpText(
      "after",
      examples([
        ["clanxp reconcile", "every clan; on a terminal with a progress bar"],
        ["clanxp reconcile --clan rovers --json | jq '.differences[]'", "each difference: kind, place and description"],
      ]),
    )
    .action(async (options: { clan?: string }) => {
      const faults: Faults = [];
      const clanId = options.clan === undefined ? null : clanIdIn(options.clan, faults);
      rejectFaults(faults);

      const { clans, reconcile: store, reconcileBoards } = await cli.servers.stores();
      const progress = await openProgress(cli.terminal, () => store.size(clanId));
      const report = await makeReconcile({ store, awardIdOf, reconcileBoards })({
        clanId,
        onProgress: progress.show,
      }).finally(progress.close);

      const isNothing = report.members + report.entries + report.batches === 0;
      if (clanId !== null && isNothing && !(await clans.read([clanId])).has(clanId))
        throw await unknownClan(clanId, clans);
      cli.print(reportResult(report));
    });
}

function reportResult(report: ReconcileReport): CommandResult {
  const { members, entries, batches, differences, differencesTotal } = report;
  const counts = facts([
    ["members", members.toString()],
    ["entries", entries.toString()],
    ["batches", batches.toString()],
    ["differences", differencesTotal === 0 ? "none: the ledger is consistent" : differencesTotal.toString()],
  ]);
  return {
    json: { members, entries, batches, differences, differencesTotal },
    text: differencesTotal === 0 ? counts : [counts, textOf(differences), lawsOf(differences)].join("\n\n"),
    exitCode: differencesTotal === 0 ? 0 : 1,
  };
}

function textOf(differences: readonly Difference[]): string {
  const rows = differences.map(({ kind, clanId, platformId = "", batchId = "", detail }) => [
    kind,
    clanId,
    platformId,
    batchId,
    detail,
  ]);
  return table(["DIFFERENCE", "CLAN", "MEMBER", "BATCH", "DETAIL"], rows);
}

/** The guarantee that each occurring kind of difference violates. */
function lawsOf(differences: readonly Difference[]): string {
  const kinds = new Set(differences.map(({ kind }) => kind));
  return ["Expected:", ...[...kinds].map((kind) => `  ${kind}: ${differenceKinds[kind]}`)].join("\n");
}
