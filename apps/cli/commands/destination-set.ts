// destination set: changes the named settings of a destination.
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { CliError, rejectFaults } from "../cli-error.ts";
import { openDestinationsBy } from "../open/destinations.ts";
import { settingsIn, type SettingOptions } from "../parse/destination-options.ts";
import type { Faults } from "../parse/options.ts";
import { changedResult, rejectedDestination, shownOrThrow } from "../show/destination.ts";
import { examples } from "../show/text.ts";
import { addSettingOptions } from "./destination-add.ts";

export function addDestinationSet(parent: Command, cli: Cli): void {
  const command = parent
    .command("set")
    .summary("change a destination")
    .description("Changes the named settings. The change acts within a second; the kind cannot be changed.")
    .argument("<destinationId>", "the destination, as clanxp destination list shows it")
    .option("--name <name>", "display name, 1 to 64 characters");
  addSettingOptions(command)
    .addHelpText(
      "after",
      examples([
        ["clanxp destination set dst_0mi6qz3k1a2b3c4d --url-file url.txt", "another URL; the signing secret stays"],
        ["clanxp destination set dst_0mi6qz3k1a2b3c4d --role Elite=98765 --role Recruit=none", "other roles"],
      ]),
    )
    .action(async (destinationId: string, options: SettingOptions) => {
      if (Object.keys(options).length === 0) throw new CliError("usage", "Name at least one setting to change.");
      const { by, manage } = await openDestinationsBy(cli);
      const { kind } = await shownOrThrow(manage.show, destinationId);
      const faults: Faults = [];
      const settings = settingsIn(options, kind, faults);
      rejectFaults(faults);
      const changed = await manage.set(destinationId, settings, by);
      if (changed.kind === "rejected") throw rejectedDestination(changed, kind);
      cli.print(changedResult(await shownOrThrow(manage.show, destinationId), changed));
    });
}
