// rank set: replaces a clan's whole list of ranks.
import type { Command } from "commander";
import { makeIds } from "#process/ids.ts";
import { makePreviewRanks, type RanksPreview } from "#ranks/preview-ranks.ts";
import { makeSetRanks } from "#ranks/set-ranks.ts";
import { rankResponses } from "#contract/render.ts";
import type { Cli, CommandResult } from "../cli.ts";
import { examples, facts, table } from "../show/text.ts";
import { openFreshLists } from "../open/fresh-lists.ts";
import { clanIdIn, collect, rankIn, renamesIn, type Faults } from "../parse/options.ts";
import { rejectFaults } from "../cli-error.ts";
import { requireConsent } from "../consent.ts";
import { clanResult } from "../show/clan.ts";
import { unknownClan } from "../show/not-found.ts";

export function addRankSet(parent: Command, cli: Cli): void {
  parent
    .command("set")
    .summary("replace a clan's ranks")
    .description(
      "Replaces the whole list of a clan's ranks. NORMAL ranks are reached by XP, in ascending order of thresholds; STAFF and OWNER " +
        "are assigned with clanxp member appoint; the one GUEST rank is for players without a membership, and is added as Guest if omitted. " +
        "--rename gives a rank another name and keeps its appointments; without --rank, all other ranks stay. A list that changes " +
        "members' ranks or ends appointments is set only with --yes, or when you confirm it on a terminal.",
    )
    .argument("<clanId>", "the clan")
    .option(
      "--rank <NAME:KIND[:THRESHOLD]>",
      "a rank; repeat the option for each: KIND is NORMAL, with its threshold, or GUEST, STAFF, OWNER",
      collect,
    )
    .option(
      "--rename <OLD=NEW>",
      "another name for a rank; repeat the option for each. Members appointed to it stay appointed",
      collect,
    )
    .option("--dry-run", "only print how many members would rise and fall, and how many appointments would end")
    .option("--yes", "set the ranks without asking")
    .addHelpText(
      "after",
      examples([
        ["clanxp rank set rovers --rank Recruit:NORMAL:100 --rank Elite:NORMAL:10000", "Guest, Recruit, Elite"],
        [
          "clanxp rank set rovers --rank Visitor:GUEST --rank Crew:NORMAL:0 --rank Captain:OWNER",
          "another name for guests",
        ],
        ["clanxp rank set rovers --rename Captain=Chief", "another name; its members stay appointed"],
        ["clanxp rank set rovers --rank Recruit:NORMAL:500 --dry-run", "who would rise and fall"],
        [
          "clanxp rank set rovers --rank 'Tier: I:NORMAL:5'",
          "the name may contain colons: the value is parsed from the right",
        ],
      ]),
    )
    .action(async (clanIdText: string, options: Options) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      if (!options.rank && !options.rename) faults.push("Name the ranks with --rank, or rename one with --rename");
      const ranks = options.rank?.map((spec) => rankIn(spec, faults)) ?? null;
      rejectFaults(faults);
      const by = cli.by();

      const { clans, previewRanks } = await openRanks(cli);
      const current = (await clans.read([clanId])).get(clanId)?.ranks ?? [];
      const names = current.map(({ name }) => name);
      const renames = renamesIn(options.rename ?? [], names, faults);
      rejectFaults(faults);
      const request = { clanId, ranks, renames };
      if (options.dryRun) {
        const previewed = await previewRanks(request);
        if (previewed.kind === "faulty") rejectFaults(previewed.faults);
        if (previewed.kind !== "previewed") throw await unknownClan(clanId, clans);
        return cli.print(previewResult(clanId, previewed.preview));
      }
      const setRanks = makeSetRanks({ clans, previewRanks });
      let change = await setRanks({ ...request, confirmed: options.yes ?? false }, by);
      if (change.kind === "unconfirmed") {
        await requireConsentTo(change.preview, clanId, cli);
        change = await setRanks({ ...request, confirmed: true }, by);
      }
      if (change.kind === "faulty") rejectFaults(change.faults);
      if (change.kind !== "changed") throw await unknownClan(clanId, clans);
      cli.print(clanResult(change.clan));
    });
}

type Options = { rank?: readonly string[]; rename?: readonly string[]; dryRun?: boolean; yes?: boolean };

async function openRanks(cli: Cli) {
  const { clans } = await cli.servers.stores();
  const lists = await openFreshLists(cli);
  return { clans, previewRanks: makePreviewRanks({ clans, lists, newRankId: makeIds(cli.clock).award }) };
}

function requireConsentTo(preview: RanksPreview, clanId: string, cli: Cli): Promise<void> {
  const changes = `Of ${preview.members} members ${changesText(preview)}.`;
  const declined = "Nothing was changed.";
  const unasked = `${changes} ${declined} Add --yes to set these ranks, or --dry-run to see the numbers for each rank.`;
  return requireConsent(cli, {}, { question: `${changes} Set these ranks of ${clanId}?`, declined, unasked });
}

function previewResult(clanId: string, preview: RanksPreview): CommandResult {
  const { members, rise, fall, changed, dropped, ranks } = preview;
  const shown = rankResponses(ranks.map(({ rank }) => rank));
  const rows = ranks.map((counts, index) => ({ ...shown[index], ...counts }));
  return {
    json: {
      clanId,
      dryRun: true,
      members,
      rise,
      fall,
      changed,
      droppedAppointments: dropped,
      ranks: rows.map(({ rank: _rank, ...row }) => row),
    },
    text: ({ number }) =>
      [
        facts([
          ["clan", clanId],
          ["members", members.toString()],
          ["change", changesText(preview)],
        ]),
        table(
          ["RANK", "KIND", "FROM XP", "MEMBERS NOW", "MEMBERS THEN", "RISE TO IT", "FALL TO IT"],
          rows.map((row) => [
            row.rank.name,
            row.rank.kind,
            row.threshold === undefined ? "" : number(row.threshold),
            ...[row.before, row.after, row.rise, row.fall].map((count) => count.toString()),
          ]),
          ["FROM XP", "MEMBERS NOW", "MEMBERS THEN", "RISE TO IT", "FALL TO IT"],
        ),
      ].join("\n\n"),
  };
}

/** One sentence without its end. */
function changesText({ rise, fall, changed, dropped }: RanksPreview): string {
  if (changed + dropped === 0) return "no member's rank changes";
  const others = changed - rise - fall;
  const appointments = dropped === 1 ? "1 appointment ends" : `${dropped} appointments end`;
  return `${rise} rise, ${fall} fall, ${others} get another rank; ${appointments}`;
}
