// import: members and XP from a CSV or NDJSON file.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Command } from "commander";
import { digest } from "#runtime/process/secrets.ts";
import { makeImportMembers, type ImportReport } from "#usecases/members/import-members.ts";
import type { Cli, CommandResult } from "../cli.ts";
import { examples } from "../examples.ts";
import { clanIdIn, type Faults } from "../parse.ts";
import { openProgress } from "../progress.ts";
import { readImport, type FileFormat } from "../read-import.ts";
import { CliError, rejectFaults } from "../cli-error.ts";
import { facts, table } from "../table.ts";
import { unknownClan } from "../unknown-clan.ts";
import { withChanges } from "../with-changes.ts";

type Options = { format?: string; name: string; dryRun?: boolean };

const NAME = /^[\x21-\x7e]{1,190}$/;

export function addImport(program: Command, cli: Cli): void {
  program
    .command("import")
    .summary("import members and XP from a file")
    .description(
      "Adds the members and the XP of a file to a clan. The file is CSV with a first line that names the columns, or one JSON object a " +
        "line. Each has a platformId, and may have xp (added to the member's XP), membership (true creates one), appointedRank (a STAFF or OWNER rank), " +
        "reason and key. A line counts once: run the import again after an interruption. Bad lines are skipped and reported with their numbers; then the exit code is 1.",
    )
    .argument("<clanId>", "the clan")
    .argument("<file>", "a .csv or .ndjson file")
    .option("--format <csv|ndjson>", "the file's format, if its name does not end with it")
    .option("--name <name>", "name of the import; a line without a key counts once per member and name", "import")
    .option("--dry-run", "only check the lines")
    .addHelpText(
      "after",
      examples([
        ["clanxp import rovers members.csv --dry-run", "checks each line"],
        ["clanxp import rovers members.csv", "imports it; run it again after an interruption"],
        ["clanxp import rovers season-2.ndjson --name season-2", "adds to members who were imported before"],
      ]),
    )
    .action(async (clanIdText: string, path: string, options: Options) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      const format = formatIn(path, options.format, faults);
      if (!NAME.test(options.name)) faults.push("--name is 1 to 190 printable ASCII characters without spaces");
      rejectFaults(faults);
      const by = cli.by();
      const size = await sizeOf(path);

      await withChanges(
        cli,
        async (world) => {
          const clan = (await world.clans.read([clanId])).get(clanId);
          if (!clan) throw await unknownClan(clanId, world.clans);
          const file = createReadStream(path);
          const progress = await openProgress(cli.terminal, async () => size);
          const request = {
            clan,
            name: options.name,
            dryRun: options.dryRun ?? false,
            onProgress: () => progress.show(file.bytesRead),
          };
          const report = await makeImportMembers({ ...world, digest })(request, readImport(file, format), by).finally(
            () => {
              progress.close();
              file.destroy();
            },
          );
          cli.answer(reportResult(clanId, request.dryRun, report));
        },
        { isThrottled: true },
      );
    });
}

function formatIn(path: string, given: string | undefined, faults: Faults): FileFormat {
  const name = given ?? path.split(".").at(-1);
  if (name === "csv" || name === "ndjson") return name;
  faults.push(
    given === undefined
      ? "The file name ends with neither .csv nor .ndjson: add --format csv or --format ndjson"
      : "--format is csv or ndjson",
  );
  return "csv";
}

/** The size in bytes. Throws CliError `usage` if there is no such file. */
async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  if (!found || found.isDirectory()) throw new CliError("usage", `There is no file "${path}".`);
  return found.size;
}

function reportResult(clanId: string, dryRun: boolean, report: ImportReport): CommandResult {
  const { lines, imported, repeated, skipped, faults } = report;
  const counts = facts([
    ["clan", clanId],
    ["lines", lines.toString()],
    [dryRun ? "valid" : "imported", imported.toString()],
    ...(dryRun ? [] : [["imported before", repeated.toString()] as const]),
    ["skipped", skipped.toString()],
  ]);
  const rows = faults.map(({ line, detail }) => [line.toString(), detail]);
  const unlisted = skipped - faults.length;
  const rest =
    unlisted === 0
      ? ""
      : `\n\n${unlisted} more lines were skipped. Correct the listed lines and import the file again to see the next ones.`;
  return {
    json: { clanId, dryRun, lines, imported, repeated, skipped, faults },
    text: skipped === 0 ? counts : `${counts}\n\n${table(["LINE", "WHY IT WAS SKIPPED"], rows, ["LINE"])}${rest}`,
    exitCode: skipped === 0 ? 0 : 1,
  };
}
