// export: all members, ledger entries or events of a clan, as rows on standard output. Memory does not grow with their
// number.
import type { Command } from "commander";
import { awardIdOf } from "#contract/award-id.ts";
import type { Clan } from "#domain/clan.ts";
import type { EventType } from "#domain/event.ts";
import { eventPages, eventRow } from "#export/event-rows.ts";
import { ledgerRows, memberRows, type ExportKind, type Row } from "#export/export-rows.ts";
import type { Cli } from "../cli.ts";
import { examples } from "../show/text.ts";
import { openFreshLists } from "../open/fresh-lists.ts";
import { load } from "../open/load.ts";
import { eventTypesIn } from "../parse/event-types.ts";
import { clanIdIn, collect, timestampIn, type Faults } from "../parse/options.ts";
import { openProgress } from "../show/progress.ts";
import { didYouMean, rejectFaults } from "../cli-error.ts";
import { makeListEntries } from "#members/list-entries.ts";
import { unknownClan } from "../show/not-found.ts";

type Options = { format: string; since?: string; type?: string[] };
type EventFilter = { types: readonly EventType[]; since: Date | null };
/** `count`: how many there are about, which only the progress bar needs. */
type Export = { pages: AsyncIterable<readonly object[]>; toRow: (item: object) => Row; count: () => Promise<number> };

const kinds = ["members", "ledger", "events"] as const satisfies ExportKind[];
type Kind = (typeof kinds)[number];

export function addExport(program: Command, cli: Cli): void {
  program
    .command("export")
    .summary("export a clan's members, ledger or events")
    .description(
      "Prints every member, ledger entry or stored event of a clan, one per line: members and entries by platformId, events from the oldest on. CSV cells of text that a spreadsheet " +
        "could run as a formula begin with an apostrophe; NDJSON contains texts unchanged. Awards can continue meanwhile.",
    )
    .argument("<clanId>", "the clan")
    .argument("<what>", kinds.join(", "))
    .option("--format <csv|ndjson>", "CSV with a line of names, or one JSON object a line", "csv")
    .option("--since <time>", "events of changes at or after this date, or timestamp with time zone")
    .option(
      "--type <type>",
      "only events of this type; repeat the option for each, or give the first part: member.*",
      collect,
    )
    .addHelpText(
      "after",
      examples([
        ["clanxp export rovers members > members.csv", "which clanxp import reads as well"],
        ["clanxp export rovers ledger --format ndjson | gzip > ledger.ndjson.gz", "every entry"],
        ["clanxp export rovers events --type member.rank_changed > ranks.csv", "who rose and fell"],
      ]),
    )
    .action(async (clanIdText: string, what: string, options: Options) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      const kind = kindIn(what, faults);
      const { format } = options;
      if (format !== "csv" && format !== "ndjson") faults.push(`--format is csv or ndjson, not "${format}"`);
      const filter = filterIn(kind, options, faults);
      rejectFaults(faults);

      const { clans } = await cli.servers.stores();
      const clan = (await clans.read([clanId])).get(clanId);
      if (!clan) throw await unknownClan(clanId, clans);
      const { pages, toRow, count } = await open(cli, { kind, clan, filter });
      const toText = format === "csv" ? await csvOf(kind, toRow) : ndjsonText;
      const progress = await openProgress(cli.terminalBesideRows, () => count().catch(() => 0));
      let [isFirst, printed] = [true, 0];
      try {
        for await (const items of pages) {
          await cli.write(toText(items, isFirst));
          isFirst = false;
          printed += items.length;
          progress.show(printed);
        }
      } finally {
        progress.close();
      }
    });
}

async function open(
  cli: Cli,
  { kind, clan, filter }: { kind: Kind; clan: Clan; filter: EventFilter },
): Promise<Export> {
  const { clanId } = clan;
  const { events, ledgerReader: reader, members, names } = await cli.servers.stores();
  const asRow = (item: object): Row => item as Row;
  switch (kind) {
    case "members": {
      const { leaderboard, ...lists } = await openFreshLists(cli);
      return {
        pages: memberRows({ leaderboard, names }, clan, (pageSize) => lists.all(clan.clanId, pageSize)),
        toRow: asRow,
        count: () => members.count(clanId),
      };
    }
    case "ledger": {
      const listEntries = makeListEntries({ reader, awardIdOf });
      return { pages: ledgerRows(listEntries, clan), toRow: asRow, count: () => reader.count(clanId) };
    }
    case "events": {
      const count = async (): Promise<number> => (await events.end(clanId)).n;
      return { pages: eventPages(events, clanId, filter), toRow: eventRow as Export["toRow"], count };
    }
  }
}

function kindIn(what: string, faults: Faults): Kind {
  const kind = kinds.find((name) => name === what);
  if (!kind) faults.push(`${kinds.join(", ")} can be exported, not "${what}".${didYouMean(what, kinds)}`);
  return kind ?? "members";
}

function filterIn(kind: Kind, { since, type }: Options, faults: Faults): EventFilter {
  if (kind !== "events" && (since !== undefined || type !== undefined))
    faults.push("--since and --type are for an export of events");
  return {
    types: eventTypesIn(type, faults),
    since: since === undefined ? null : timestampIn("--since", since, faults),
  };
}

type ToText = (items: readonly object[], isFirst: boolean) => string;

const ndjsonText: ToText = (items) => items.map((item) => `${JSON.stringify(item)}\n`).join("");

async function csvOf(kind: Kind, toRow: Export["toRow"]): Promise<ToText> {
  const { csvText } = await load.csvWriter();
  return (items, isFirst) => csvText(kind, items.map(toRow), isFirst);
}
