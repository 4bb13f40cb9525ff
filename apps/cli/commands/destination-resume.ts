// destination resume: sends again, from where it stopped or from now on.
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { CliError } from "../cli-error.ts";
import { openDestinationsBy } from "../open/destinations.ts";
import { destinationResult, rejectedDestination, shownOrThrow } from "../show/destination.ts";
import { examples } from "../show/text.ts";

export function addDestinationResume(parent: Command, cli: Cli): void {
  parent
    .command("resume")
    .summary("send to a destination again")
    .description("Lets a paused, failing or disabled destination go on where it stopped, or with the next event.")
    .argument("<destinationId>", "the destination, as clanxp destination list shows it")
    .option("--from <now>", "now: skip everything that has not been sent yet")
    .addHelpText(
      "after",
      examples([
        ["clanxp destination resume dst_0mi6qz3k1a2b3c4d", "sends what waits, then what comes"],
        ["clanxp destination resume dst_0mi6qz3k1a2b3c4d --from now", "sends only what comes"],
      ]),
    )
    .action(async (destinationId: string, { from }: { from?: string }) => {
      if (from !== undefined && from !== "now") throw new CliError("usage", `--from is now, not "${from}"`);
      const { by, manage } = await openDestinationsBy(cli);
      const changed = await manage.resume(destinationId, { fromNow: from === "now" }, by);
      if (changed.kind === "rejected") throw rejectedDestination(changed);
      cli.print(destinationResult(await shownOrThrow(manage.show, destinationId)));
    });
}
