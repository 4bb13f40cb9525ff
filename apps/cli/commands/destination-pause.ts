// destination pause: nothing is sent until it is resumed; it keeps its place.
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { openDestinationsBy } from "../open/destinations.ts";
import { destinationResult, rejectedDestination, shownOrThrow } from "../show/destination.ts";
import { examples } from "../show/text.ts";

export function addDestinationPause(parent: Command, cli: Cli): void {
  parent
    .command("pause")
    .summary("stop sending to a destination for now")
    .description(
      "Sends nothing to the destination until clanxp destination resume. It keeps its place, so that events wait as long as they are stored.",
    )
    .argument("<destinationId>", "the destination, as clanxp destination list shows it")
    .addHelpText("after", examples([["clanxp destination pause dst_0mi6qz3k1a2b3c4d", "while your server is moved"]]))
    .action(async (destinationId: string) => {
      const { by, manage } = await openDestinationsBy(cli);
      const changed = await manage.pause(destinationId, by);
      if (changed.kind === "rejected") throw rejectedDestination(changed);
      cli.print(destinationResult(await shownOrThrow(manage.show, destinationId)));
    });
}
