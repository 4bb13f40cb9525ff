// reset list: a clan's resets.
import type { Command } from "commander";
import { RESETS_LISTED_MAX } from "#resets/bounds.ts";
import type { Cli } from "../cli.ts";
import { rejectFaults } from "../cli-error.ts";
import { clanIdIn, type Faults } from "../parse/options.ts";
import { unknownClan } from "../show/not-found.ts";
import { resetsResult } from "../show/reset.ts";
import { examples } from "../show/text.ts";

export function addResetList(parent: Command, cli: Cli): void {
  parent
    .command("list")
    .summary("list a clan's resets")
    .description(`Lists the ${RESETS_LISTED_MAX} newest resets of a clan, coming and past, the newest first.`)
    .argument("<clanId>", "the clan")
    .addHelpText("after", examples([["clanxp reset list rovers", "what is coming, what runs, and what was taken"]]))
    .action(async (clanIdText: string) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      rejectFaults(faults);

      const { clans, resets } = await cli.servers.stores();
      if (!(await clans.read([clanId])).has(clanId)) throw await unknownClan(clanId, clans);
      cli.print(resetsResult(await resets.list(clanId, RESETS_LISTED_MAX)));
    });
}
