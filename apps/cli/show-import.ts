// The report of an import in the output of the CLI: the same for a dry run.
import type { BadLine, ImportReport } from "#usecases/members/import-members.ts";
import type { CommandResult } from "./cli.ts";
import { facts, table } from "./table.ts";

export function importResult(clanId: string, dryRun: boolean, report: ImportReport): CommandResult {
  const { lines, imported, repeated, repeatedInFile, shortened, skipped, faults, notes } = report;
  const counts = facts([
    ["clan", dryRun ? `${clanId} (dry run: nothing was changed)` : clanId],
    ["lines", lines.toString()],
    [dryRun ? "would be imported" : "imported", imported.toString()],
    ["imported before", repeated.toString()],
    ["repeated in this file", repeatedInFile.toString()],
    ["shortened by floor or cap", shortened.toString()],
    ["skipped", skipped.toString()],
  ]);
  const listedNotes = listOf(notes, "NOTE");
  const moreNotes = repeatedInFile + shortened - notes.length;
  const listedFaults = listOf(faults, dryRun ? "WHY IT WOULD BE SKIPPED" : "WHY IT WAS SKIPPED");
  const moreFaults = skipped - faults.length;
  const texts = [
    counts,
    listedNotes,
    moreNotes === 0 ? "" : `${moreNotes} more lines are repeated or shortened.`,
    listedFaults,
    moreFaults === 0
      ? ""
      : `${moreFaults} more lines were skipped. Correct the listed lines and import the file again to see the next ones.`,
  ];
  return {
    json: { clanId, dryRun, ...report },
    text: texts.filter((text) => text !== "").join("\n\n"),
    exitCode: skipped === 0 ? 0 : 1,
  };
}

function listOf(lines: readonly BadLine[], title: string): string {
  if (lines.length === 0) return "";
  const rows = lines.map(({ line, detail }) => [line.toString(), detail]);
  return table(["LINE", title], rows, ["LINE"]);
}
