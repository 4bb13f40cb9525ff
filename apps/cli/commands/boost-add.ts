// boost add: raises a clan's awards in a time window, or on the next weekends.
import type { Command } from "commander";
import { BOOST_DAYS_MAX, BOOSTS_PER_CLAN_MAX, percentOf } from "#domain/boost.ts";
import { makeIds } from "#process/ids.ts";
import { makeAddBoosts, type BoostWindows } from "#boosts/add-boosts.ts";
import type { Cli } from "../cli.ts";
import { CliError, rejectFaults } from "../cli-error.ts";
import { clanIdIn, collect, nameIn, timestampIn, type Faults } from "../parse/options.ts";
import { timeZoneIn } from "../parse/time-zone.ts";
import { boostsResult } from "../show/boost.ts";
import { unknownClan } from "../show/not-found.ts";
import { examples } from "../show/text.ts";

type Options = {
  name: string;
  factor: string;
  from?: string;
  to?: string;
  weekends?: string;
  timeZone?: string;
  rank?: string[];
  place?: string[];
};

export function addBoostAdd(parent: Command, cli: Cli): void {
  parent
    .command("add")
    .summary("raise a clan's awards for some time")
    .description(
      "Raises the positive amounts of awards that API keys send, from one time until before another. Of several boosts the one with the highest " +
        `factor acts alone. A clan has at most ${BOOSTS_PER_CLAN_MAX} boosts that have not ended.`,
    )
    .argument("<clanId>", "the clan")
    .requiredOption("--name <name>", "its name, which callers and the ledger show")
    .requiredOption("--factor <F>", "the factor: 1.01 to 10, with at most two decimals")
    .option("--from <time|now>", "when it begins (RFC 3339)")
    .option("--to <time>", `when it ends (RFC 3339), at most ${BOOST_DAYS_MAX} days later`)
    .option("--weekends <N>", "instead of --from and --to: the next N times Saturday 00:00 to Monday 00:00")
    .option("--time-zone <zone>", "the time zone of the weekends, as Europe/Berlin")
    .option(
      "--rank <name>",
      "only members who have this rank before the award; repeat the option for each rank",
      collect,
    )
    .option("--place <id>", "only awards whose source.placeId is this one; repeat the option for each place", collect)
    .addHelpText(
      "after",
      examples([
        [
          "clanxp boost add rovers --name 'Double XP' --factor 2 --weekends 1 --time-zone Europe/Berlin",
          "next weekend",
        ],
        [
          "clanxp boost add rovers --name Launch --factor 1.5 --from now --to 2031-05-02T00:00:00Z --place 1818",
          "in one place of the game, from now on",
        ],
        [
          "clanxp boost add rovers --name 'Catch up' --factor 1.25 --from now --to 2031-05-31 --rank Recruit",
          "for the members of one rank",
        ],
      ]),
    )
    .action(async (clanIdText: string, options: Options) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      const name = nameIn("--name", options.name, faults);
      const percent = percentIn(options.factor, faults);
      const windows = windowsIn(options, faults);
      rejectFaults(faults);
      const by = cli.by();

      const { clans, boosts } = await cli.servers.preparedStores();
      const addBoosts = makeAddBoosts({ clans, boosts, ids: makeIds(cli.clock) });
      const { rank: ranks = [], place: placeIds = [] } = options;
      const added = await addBoosts(clanId, { name, percent, windows, ranks, placeIds }, by);
      switch (added.kind) {
        case "no_clan":
          throw await unknownClan(clanId, clans);
        case "no_rank":
          throw new CliError("rank_not_found", added.faults.join(" "));
        case "invalid":
          return rejectFaults(added.faults);
        case "too_many_boosts":
          throw new CliError("too_many_boosts", added.detail);
        case "added":
          return cli.print(boostsResult(added.boosts, await boosts.now()));
      }
    });
}

function percentIn(text: string, faults: Faults): number {
  const percent = percentOf(text);
  if (percent === null) faults.push(`--factor is 1.01 to 10 with at most two decimals, as 2 or 1.25, not "${text}"`);
  return percent ?? 0;
}

function windowsIn({ from, to, weekends, timeZone }: Options, faults: Faults): BoostWindows {
  if (weekends === undefined && timeZone === undefined) {
    if (from === undefined) faults.push("--from is missing: now, or a timestamp");
    if (to === undefined) faults.push("--to is missing: the time at which the boost ends");
    return {
      from: from === undefined || from === "now" ? null : timestampIn("--from", from, faults),
      to: to === undefined ? new Date(0) : timestampIn("--to", to, faults),
    };
  }
  if (from !== undefined || to !== undefined) faults.push("Use either --from and --to, or --weekends and --time-zone");
  if (weekends === undefined) faults.push("--weekends is missing: how many weekends, from 1");
  if (timeZone === undefined) faults.push("--time-zone is missing: the time zone of the weekends, as Europe/Berlin");
  const count = /^\d{1,3}$/.test(weekends ?? "1") ? Number(weekends) : 0;
  if (weekends !== undefined && (count < 1 || count > BOOSTS_PER_CLAN_MAX))
    faults.push(`--weekends is a whole number from 1 to ${BOOSTS_PER_CLAN_MAX}, not "${weekends}"`);
  const zone = timeZone === undefined ? null : timeZoneIn("--time-zone", timeZone, faults);
  return zone ? { weekends: count, zone } : { from: null, to: new Date(0) };
}
