// clan set: changes the named settings of a clan.
import type { Command } from "commander";
import { makeChangeClan } from "#clans/change-clan.ts";
import { XP_PER_DAY_MAX } from "#domain/key-limits.ts";
import type { ClanSettings } from "#clans/ports.ts";
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
  xpPerDay?: string;
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
    .option("--xp-per-day <N|none>", "the most that awards of API keys raise a member's XP per UTC day")
    .option("--award-events <on|off>", "an event for each award; about doubles the database work of the clan's awards")
    .addHelpText(
      "after",
      examples([
        ["clanxp clan set rovers --auto off", "from now on XP is stored for members only"],
        ["clanxp clan set rovers --xp-floor -100 --xp-cap 50000", "XP stays within these limits"],
        ["clanxp clan set rovers --xp-per-day 5000", "awards raise a member by at most 5000 XP a day"],
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
  const { name, auto, xpFloor, xpCap, amountMax, xpPerDay, awardEvents } = options;
  const settings: ClanSettings = {};
  if (name !== undefined) settings.name = nameIn("--name", name, faults);
  if (auto !== undefined) settings.autoClan = onOffIn("--auto", auto, faults);
  if (xpFloor !== undefined) settings.xpFloor = xpFloor === "none" ? null : xpIn("--xp-floor", xpFloor, faults);
  if (xpCap !== undefined) settings.xpCap = xpIn("--xp-cap", xpCap, faults);
  if (amountMax !== undefined) settings.amountMax = amountMaxIn("--amount-max", amountMax, faults);
  if (xpPerDay !== undefined) settings.xpPerDay = xpPerDayIn(xpPerDay, faults);
  if (awardEvents !== undefined) settings.awardEvents = onOffIn("--award-events", awardEvents, faults);
  if (Object.keys(settings).length === 0)
    faults.push(
      "Name at least one setting: --name, --auto, --xp-floor, --xp-cap, --amount-max, --xp-per-day or --award-events",
    );
  return settings;
}

function xpPerDayIn(text: string, faults: Faults): bigint | null {
  if (text === "none") return null;
  const xp = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (xp < 1 || xp > XP_PER_DAY_MAX)
    faults.push(`--xp-per-day is none or a whole number from 1 to ${XP_PER_DAY_MAX}, not ${text}`);
  return BigInt(xp);
}
