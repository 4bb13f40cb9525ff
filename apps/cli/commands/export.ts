// export: all members or all ledger entries of a clan, as rows on standard output. Memory does not grow with their
// number.
import type { Command } from "commander";
import { awardIdOf } from "#contract/award-id.ts";
import { ledgerRows, memberRows, type ExportKind, type Row } from "#export/export-rows.ts";
import type { Cli } from "../cli.ts";
import { examples } from "../show/text.ts";
import { openFreshLists } from "../open/fresh-lists.ts";
import { load } from "../open/load.ts";
import { clanIdIn, type Faults } from "../parse/options.ts";
import { openProgress } from "../show/progress.ts";
import { rejectFaults } from "../cli-error.ts";
import { makeListEntries } from "#usecases/members/list-entries.ts";
import { unknownClan } from "../show/not-found.ts";

export function addExport(program: Command, cli: Cli): void {
  program
    .command("export")
    .summary("export a clan's members or ledger")
    .description(
      "Prints every member or every ledger entry of a clan, one per line, ordered by platformId. CSV cells of text that a spreadsheet " +
        "could run as a formula begin with an apostrophe; NDJSON contains texts unchanged. Awards can continue meanwhile.",
    )
    .argument("<clanId>", "the clan")
    .argument("<what>", "members or ledger")
    .option("--format <csv|ndjson>", "CSV with a line of names, or one JSON object a line", "csv")
    .addHelpText(
      "after",
      examples([
        ["clanxp export rovers members > members.csv", "which clanxp import reads as well"],
        ["clanxp export rovers ledger --format ndjson | gzip > ledger.ndjson.gz", "every entry"],
      ]),
    )
    .action(async (clanIdText: string, what: string, { format }: { format: string }) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      const kind = kindIn(what, faults);
      if (format !== "csv" && format !== "ndjson") faults.push(`--format is csv or ndjson, not "${format}"`);
      rejectFaults(faults);

      const { clans, ledgerReader: reader, members } = await cli.servers.stores();
      const clan = (await clans.read([clanId])).get(clanId);
      if (!clan) throw await unknownClan(clanId, clans);
      const listEntries = makeListEntries({ reader, awardIdOf });
      const pages = kind === "members" ? memberRows(await openFreshLists(cli), clan) : ledgerRows(listEntries, clan);
      const toText = format === "csv" ? await csvOf(kind) : ndjsonText;
      const counted = kind === "members" ? members : reader;
      // Only the bar needs the number.
      const progress = await openProgress(cli.terminalBesideRows, () => counted.count(clanId).catch(() => 0));
      let printed = 0;
      try {
        for await (const rows of pages) {
          await cli.write(toText(rows, printed === 0));
          printed += rows.length;
          progress.show(printed);
        }
      } finally {
        progress.close();
      }
    });
}

function kindIn(what: string, faults: Faults): ExportKind {
  if (what === "members" || what === "ledger") return what;
  faults.push(`members or ledger can be exported, not "${what}"`);
  return "members";
}

type ToText = (rows: readonly Row[], isFirst: boolean) => string;

const ndjsonText: ToText = (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

async function csvOf(kind: ExportKind): Promise<ToText> {
  const { csvText } = await load.csvWriter();
  return (rows, isFirst) => csvText(kind, rows, isFirst);
}
