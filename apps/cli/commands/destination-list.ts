// destination list: where a clan's events go, and how far behind each destination is.
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { rejectFaults } from "../cli-error.ts";
import { openDestinations } from "../open/destinations.ts";
import { clanIdIn, type Faults } from "../parse/options.ts";
import { destinationsResult } from "../show/destination.ts";
import { unknownClan } from "../show/not-found.ts";
import { examples } from "../show/text.ts";

export function addDestinationList(parent: Command, cli: Cli): void {
  parent
    .command("list")
    .summary("list the destinations of a clan")
    .description("Lists the destinations of a clan with their state, and how many events each is behind.")
    .argument("<clanId>", "the clan")
    .addHelpText("after", examples([["clanxp destination list rovers", "the ids for the other commands"]]))
    .action(async (clanIdText: string) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      rejectFaults(faults);
      const { manage, clans } = await openDestinations(cli);
      if (!(await clans.read([clanId])).has(clanId)) throw await unknownClan(clanId, clans);
      cli.print(destinationsResult(await manage.show.ofClan(clanId)));
    });
}
