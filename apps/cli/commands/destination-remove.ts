// destination remove: deletes a destination, its secrets and what waits for it.
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { openDestinationsBy } from "../open/destinations.ts";
import { rejectFaults } from "../cli-error.ts";
import { requireConsent, requireYesOrTerminal } from "../consent.ts";
import type { Faults } from "../parse/options.ts";
import { destinationResult, shownOrThrow } from "../show/destination.ts";
import { examples } from "../show/text.ts";

export function addDestinationRemove(parent: Command, cli: Cli): void {
  parent
    .command("remove")
    .summary("remove a destination")
    .description(
      "Removes a destination with its secrets. What waits for it is not sent any more. Asks for confirmation; without a terminal, --yes is required.",
    )
    .argument("<destinationId>", "the destination, as clanxp destination list shows it")
    .option("--yes", "do not ask")
    .addHelpText("after", examples([["clanxp destination remove dst_0mi6qz3k1a2b3c4d", "once you confirm it"]]))
    .action(async (destinationId: string, options: { yes?: true }) => {
      const faults: Faults = [];
      requireYesOrTerminal(cli, options, faults);
      rejectFaults(faults);
      const { by, manage } = await openDestinationsBy(cli);
      const shown = await shownOrThrow(manage.show, destinationId);
      const question = `Remove the destination "${shown.name}", which sends to ${shown.sendsTo}? This cannot be undone.`;
      await requireConsent(cli, options, { question, declined: "Nothing was removed." });
      await manage.remove(destinationId, by);
      cli.print({ ...destinationResult(shown), text: `The destination "${shown.name}" is removed.` });
    });
}
