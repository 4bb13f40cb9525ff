// erasure-hook add: a URL and a secret for Roblox, which sends requests to erase players there.
import type { Command } from "commander";
import { CLANS_PER_HOOK_MAX, GAMES_PER_HOOK_MAX, isGameId } from "#domain/erasure-hook.ts";
import type { Cli } from "../cli.ts";
import { rejectFaults } from "../cli-error.ts";
import { openHooksBy } from "../open/hooks.ts";
import { clanIdIn, collect, type Faults } from "../parse/options.ts";
import { secretResult } from "../show/hook.ts";
import { unknownClan } from "../show/not-found.ts";
import { examples } from "../show/text.ts";

type Options = { clan?: readonly string[]; all?: true; games?: string };

export function addErasureHookAdd(parent: Command, cli: Cli): void {
  parent
    .command("add")
    .summary("receive Roblox's requests to erase players")
    .description(
      "Makes a URL and a secret to enter at Roblox, and prints the secret once. Each player whom Roblox names there is erased from the clans.",
    )
    .option("--clan <clanId>", "erase them from this clan; repeat the option for several", collect)
    .option("--all", "erase them from every clan")
    .option("--games <ids>", "ids of start places, separated by commas: ignore requests that name none of them")
    .addHelpText(
      "after",
      examples([
        ["clanxp erasure-hook add --clan rovers", "for all games of the creator"],
        ["clanxp erasure-hook add --all --games 1818,292439477", "for two games whose players are in several clans"],
      ]),
    )
    .action(async (options: Options) => {
      const faults: Faults = [];
      const hook = { clanIds: clansIn(options, faults), games: gamesIn(options.games, faults) };
      rejectFaults(faults);
      const { by, apiUrl, manage, clans } = await openHooksBy(cli);
      const known = await clans.read(hook.clanIds ?? []);
      const unknown = hook.clanIds?.find((clanId) => !known.has(clanId));
      if (unknown !== undefined) throw await unknownClan(unknown, clans);
      cli.print(secretResult(await manage.add(hook, by), apiUrl));
    });
}

/** Null: all clans. */
function clansIn({ clan, all }: Options, faults: Faults): string[] | null {
  if ((clan === undefined) === (all === undefined)) faults.push("name either --clan <clanId> or --all");
  const clanIds = clan && [...new Set(clan.map((text) => clanIdIn(text, faults)))];
  if (clanIds && clanIds.length > CLANS_PER_HOOK_MAX)
    faults.push(`--clan is given at most ${CLANS_PER_HOOK_MAX} times`);
  return clanIds ?? null;
}

/** Null: all games. */
function gamesIn(text: string | undefined, faults: Faults): string[] | null {
  if (text === undefined) return null;
  const games = [...new Set(text.split(",").map((id) => id.trim()))];
  if (games.length > GAMES_PER_HOOK_MAX || !games.every(isGameId))
    faults.push(`--games is 1 to ${GAMES_PER_HOOK_MAX} ids of start places, separated by commas, not "${text}"`);
  return games;
}
