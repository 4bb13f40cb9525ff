// clan set: changes the named settings of a clan.
import type { Command } from "commander";
import { makeChangeClan } from "#usecases/clans/change-clan.ts";
import type { ClanSettings } from "#usecases/clans/ports.ts";
import type { Cli } from "../cli.ts";
import { examples } from "../show/text.ts";
import { amountMaxIn, clanIdIn, nameIn, onOffIn, xpIn, type Faults } from "../parse/options.ts";
import { CliError, rejectFaults } from "../cli-error.ts";
import { clanResult } from "../show/clan.ts";
import { unknownClan } from "../show/not-found.ts";

type Options = {
  name?: string;
  auto?: string;
  xpFloor?: string;
  xpCap?: string;
  amountMax?: string;
  awardEvents?: string;
};

export function addClanSet(parent: Command, cli: Cli): void {
  parent
    .command("set")
    .summary("change a clan's settings")
    .description("Changes the named settings. The change takes effect on every process within a second.")
    .argument("<clanId>", "the clan")
    .option("--name <name>", "its display name")
    .option("--auto <on|off>", "turn Auto Clan on or off; memberships do not change")
    .option("--xp-floor <N|none>", "minimum XP; none: no minimum except the smallest 64-bit number")
    .option("--xp-cap <N>", "maximum XP")
    .option("--amount-max <N>", "largest amount of one award, positive or negative: 1 to 1000000000000")
    .option("--award-events <on|off>", "an event for each award; about doubles the database work of the clan's awards")
    .addHelpText(
      "after",
      examples([
        ["clanxp clan set rovers --auto off", "from now on XP is stored for members only"],
        ["clanxp clan set rovers --xp-floor -100 --xp-cap 50000", "XP stays within these limits"],
        ["clanxp clan set rovers --xp-floor none", "XP has no minimum"],
      ]),
    )
    .action(async (clanIdText: string, options: Options) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      const settings = settingsIn(options, faults);
      rejectFaults(faults);
      const by = cli.by();

      const { clans } = await cli.servers.stores();
      const change = await makeChangeClan({ clans })(clanId, settings, by);
      if (change.kind === "no_clan") throw await unknownClan(clanId, clans);
      if (change.kind === "floor_above_cap") {
        throw new CliError(
          "usage",
          `The minimum would be ${change.xpFloor}, above the maximum ${change.xpCap}. Nothing was changed.`,
        );
      }
      cli.print(clanResult(change.clan));
    });
}

function settingsIn(options: Options, faults: Faults): ClanSettings {
  const { name, auto, xpFloor, xpCap, amountMax, awardEvents } = options;
  const settings: ClanSettings = {};
  if (name !== undefined) settings.name = nameIn("--name", name, faults);
  if (auto !== undefined) settings.autoClan = onOffIn("--auto", auto, faults);
  if (xpFloor !== undefined) settings.xpFloor = xpFloor === "none" ? null : xpIn("--xp-floor", xpFloor, faults);
  if (xpCap !== undefined) settings.xpCap = xpIn("--xp-cap", xpCap, faults);
  if (amountMax !== undefined) settings.amountMax = amountMaxIn("--amount-max", amountMax, faults);
  if (awardEvents !== undefined) settings.awardEvents = onOffIn("--award-events", awardEvents, faults);
  if (Object.keys(settings).length === 0)
    faults.push("Name at least one setting: --name, --auto, --xp-floor, --xp-cap, --amount-max or --award-events");
  return settings;
}
