// destination show: one destination, its state and its counts.
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { openDestinations } from "../open/destinations.ts";
import { destinationResult, shownOrThrow } from "../show/destination.ts";
import { examples } from "../show/text.ts";

export function addDestinationShow(parent: Command, cli: Cli): void {
  parent
    .command("show")
    .summary("show a destination")
    .description("Shows the settings of a destination, its state with the reason, and what waits or has failed.")
    .argument("<destinationId>", "the destination, as clanxp destination list shows it")
    .addHelpText("after", examples([["clanxp destination show dst_0mi6qz3k1a2b3c4d", "why it is not active"]]))
    .action(async (destinationId: string) => {
      const { manage } = await openDestinations(cli);
      cli.print(destinationResult(await shownOrThrow(manage.show, destinationId)));
    });
}
