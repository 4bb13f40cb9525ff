// import: members and XP from a CSV, NDJSON or JSON file.
import { createReadStream, type ReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Command } from "commander";
import { AppError } from "#kernel/app-error.ts";
import { isLineKey } from "#domain/award-key.ts";
import { fileFormats, type FileFormat } from "#import/detect-format.ts";
import { IMPORT_FIELDS } from "#import/import-line.ts";
import type { ImportOptions } from "#import/read-import.ts";
import { digest } from "#process/secrets.ts";
import type { ClanStore } from "#clans/ports.ts";
import { makeOpenImportRecord } from "#members/import-log.ts";
import { makeDryRun } from "#members/foresee-awards.ts";
import { makeImportMembers, type BadLine, type ImportLine, type ImportReport } from "#members/import-members.ts";
import { makeSettleChanges } from "#members/settle-changes.ts";
import { undoOfImport } from "#reversals/undo-import.ts";
import type { Cli, CommandResult } from "../cli.ts";
import { examples, facts, table } from "../show/text.ts";
import { clanIdIn, type Faults } from "../parse/options.ts";
import { openProgress } from "../show/progress.ts";
import { columnMapIn } from "../parse/column-map.ts";
import { CliError, didYouMean, rejectFaults } from "../cli-error.ts";
import { unknownClan } from "../show/not-found.ts";
import { withChanges } from "../open/ledger.ts";
import { openReversing } from "../open/queue.ts";
import { reverse } from "./reverse.ts";
import { load } from "../open/load.ts";

type Options = {
  format: string;
  map?: string;
  name: string;
  events?: boolean;
  dryRun?: true;
  undo?: string;
  yes?: true;
};

export function addImport(program: Command, cli: Cli): void {
  program
    .command("import")
    .summary("import members and XP from a file")
    .description(
      "Adds the members and the XP of a file to a clan. The file is CSV with a first line that names the columns, one JSON object a line, " +
        "or a JSON list of objects. Each has a platformId, and may have xp (added to the member's XP), membership (true creates one), appointedRank (a STAFF or OWNER rank), " +
        "name (by which people know the player), reason and key; --map takes them from columns with other names. A line counts once: run the import again after an interruption. " +
        "Bad lines are skipped and reported with their numbers; then the exit code is 1.",
    )
    .argument("<clanId>", "the clan")
    .argument("[file]", "the file")
    .option("--format <format>", "auto, csv (commas, semicolons or tabs), ndjson or json", "auto")
    .option("--map <columns>", "the columns of the fields, as in platformId=id,xp=xp; other columns are ignored")
    .option("--name <name>", "name of the import; a line without a key counts once per member and name", "import")
    .option("--events", "create events of members who join or change their rank; without it, an import has none")
    .option("--dry-run", "report what the import would do, and change nothing")
    .option("--undo <name>", "reverse the XP that the import of this name gave, instead of importing a file")
    .option("--yes", "with --undo: do not ask")
    .addHelpText(
      "after",
      examples([
        ["clanxp import rovers members.csv --dry-run", "what the import would do"],
        ["clanxp import rovers members.csv", "imports it; run it again after an interruption"],
        ["clanxp import rovers levels.json --map platformId=user_id,xp=xp", "a file of another bot"],
        ["clanxp import rovers season-2.ndjson --name season-2", "adds to members who were imported before"],
        ["clanxp import rovers --undo season-2", "shows what it gave, asks, and takes it back"],
      ]),
    )
    .action(async (clanIdText: string, path: string | undefined, options: Options) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      if (options.undo !== undefined) return undo(cli, clanId, { ...options, path, name: options.undo }, faults);
      if (options.yes) faults.push("--yes is an option of --undo");
      if (path === undefined) throw new CliError("usage", "Name the file to import, or --undo and an import's name.");
      const format = formatIn(options.format, faults);
      const map = options.map === undefined ? null : columnMapIn(options.map, faults);
      if (!isLineKey(options.name)) faults.push(`--name ${NAME_FORM}`);
      rejectFaults(faults);
      const by = cli.by();
      const size = await sizeOf(path);
      const dryRun = options.dryRun ?? false;

      await withSettle(cli, dryRun, async ({ clans, ...importing }) => {
        const clan = (await clans.read([clanId])).get(clanId);
        if (!clan) throw await unknownClan(clanId, clans);
        const file = createReadStream(path);
        const progress = await openProgress(cli.terminal, async () => size);
        const request = {
          clan,
          name: options.name,
          silent: !options.events,
          onProgress: () => progress.show(file.bytesRead),
        };
        const lines = linesOf(file, { path, format, map, adviceOn });
        const report = await makeImportMembers({ ...importing, digest })(request, lines, by).finally(() => {
          progress.close();
          file.destroy();
        });
        cli.print(importResult(clanId, dryRun, report));
      });
    });
}

/** Memberships and appointments stay. */
async function undo(
  cli: Cli,
  clanId: string,
  {
    name,
    path,
    events,
    dryRun,
    yes,
  }: Pick<Options, "name" | "events" | "dryRun" | "yes"> & { path: string | undefined },
  faults: Faults,
): Promise<void> {
  if (path !== undefined || events) faults.push("--undo reads no file, and creates the events of a reversal");
  if (!isLineKey(name)) faults.push(`--undo ${NAME_FORM}`);
  rejectFaults(faults);
  const options = { ...(dryRun ? { dryRun } : {}), ...(yes ? { yes } : {}) };
  const request = { clanId, ...undoOfImport(name), caller: cli.by(), options };
  cli.print(await openReversing(cli, clanId, (reversing) => reverse(cli, reversing, request)));
}

const NAME_FORM = "is the name of an import, 1 to 190 printable ASCII characters without spaces";

type Settling = { clans: ClanStore } & Omit<Parameters<typeof makeImportMembers>[0], "digest">;

/** A dry run only reads: it prepares no collections, and opens nothing that commits. */
async function withSettle(cli: Cli, dryRun: boolean, run: (settling: Settling) => Promise<void>): Promise<void> {
  const { ledgerStore: store, clans, names, audit } = await cli.servers.stores();
  const openCheck = () => makeDryRun({ store, names, clock: cli.clock });
  if (dryRun) return run({ clans, ...openCheck() });
  return withChanges(
    cli,
    ({ committer, ids }) =>
      run({
        clans,
        names,
        settle: makeSettleChanges(committer),
        openRecord: makeOpenImportRecord({ audit, ids, openCheck: () => openCheck().settle }),
      }),
    { isThrottled: true },
  );
}

/** Null: it is detected. */
function formatIn(given: string, faults: Faults): FileFormat | null {
  const format = fileFormats.find((name) => name === given) ?? null;
  if (!format && given !== "auto") faults.push(`--format is auto, ${fileFormats.join(", ")}, not "${given}"`);
  return format;
}

/** Throws CliError `usage`, beside what reading the file throws. */
async function* linesOf(file: ReadStream, options: ImportOptions): AsyncGenerator<ImportLine | BadLine> {
  const { readImport } = await load.readImport();
  try {
    yield* readImport(file, options);
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid_request") throw new CliError("usage", error.message);
    throw error;
  }
}

function adviceOn(column: string): string {
  return ` With --map, as in platformId=id,xp=xp, they have any names.${didYouMean(column, IMPORT_FIELDS)}`;
}

/** The size in bytes. Throws CliError `usage` if there is no such file. */
async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  if (!found || found.isDirectory()) throw new CliError("usage", `There is no file "${path}".`);
  return found.size;
}

/** The same for a dry run. */
function importResult(clanId: string, dryRun: boolean, report: ImportReport): CommandResult {
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
