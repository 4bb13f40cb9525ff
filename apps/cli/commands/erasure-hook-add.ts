// erasure-hook add: a URL and a secret for Roblox, which sends requests to erase players there.
import type { Command } from "commander";
import { GAMES_PER_HOOK_MAX, isGameId } from "#domain/erasure-hook.ts";
import type { Cli } from "../cli.ts";
import { rejectFaults } from "../cli-error.ts";
import { openHooksBy } from "../open/hooks.ts";
import { clanIdIn, type Faults } from "../parse/options.ts";
import { secretResult } from "../show/hook.ts";
import { unknownClan } from "../show/not-found.ts";
import { examples } from "../show/text.ts";

type Options = { clan?: string; all?: true; games?: string };

export function addErasureHookAdd(parent: Command, cli: Cli): void {
  parent
    .command("add")
    .summary("receive Roblox's requests to erase players")
    .description(
      "Makes a URL and a secret to enter at Roblox, and prints the secret once. Each player whom Roblox names there is erased from the clan.",
    )
    .option("--clan <clanId>", "erase them from this clan")
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
      const hook = { clanId: clanIn(options, faults), games: gamesIn(options.games, faults) };
      rejectFaults(faults);
      const { by, apiUrl, manage, clans } = await openHooksBy(cli);
      const { clanId } = hook;
      if (clanId !== null && !(await clans.read([clanId])).has(clanId)) throw await unknownClan(clanId, clans);
      cli.print(secretResult(await manage.add(hook, by), apiUrl));
    });
}

/** Null: all clans. */
function clanIn({ clan, all }: Options, faults: Faults): string | null {
  if ((clan === undefined) === (all === undefined)) faults.push("name either --clan <clanId> or --all");
  return clan === undefined ? null : clanIdIn(clan, faults);
}

/** Null: all games. */
function gamesIn(text: string | undefined, faults: Faults): string[] | null {
  if (text === undefined) return null;
  const games = [...new Set(text.split(",").map((id) => id.trim()))];
  if (games.length > GAMES_PER_HOOK_MAX || !games.every(isGameId))
    faults.push(`--games is 1 to ${GAMES_PER_HOOK_MAX} ids of start places, separated by commas, not "${text}"`);
  return games;
}
