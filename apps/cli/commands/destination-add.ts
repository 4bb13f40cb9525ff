// destination add: sends a clan's events to a server or to Discord, or makes roles elsewhere follow its ranks.
import type { Command } from "commander";
import { DESTINATIONS_PER_CLAN_MAX, destinationKinds, destinationTypesDefault } from "#domain/destination.ts";
import { withRoleChanges } from "#domain/role-change.ts";
import type { Cli } from "../cli.ts";
import { rejectFaults } from "../cli-error.ts";
import { openDestinationsBy } from "../open/destinations.ts";
import { fromIn, kindIn, settingsIn, type SettingOptions } from "../parse/destination-options.ts";
import { clanIdIn, collect, type Faults } from "../parse/options.ts";
import { changedResult, rejectedDestination, shownOrThrow } from "../show/destination.ts";
import { unknownClan } from "../show/not-found.ts";
import { examples } from "../show/text.ts";

/** Those that `destination set` has, too. */
export function addSettingOptions(command: Command): Command {
  return command
    .option("--url-file <file>", "file with the URL of a webhook, or of a Discord webhook; - reads standard input")
    .option("--group <groupId>", "of roblox-group: the group")
    .option("--api-key-file <file>", "of roblox-group: file with an Open Cloud API key; - reads standard input")
    .option("--guild <guildId>", "of discord-roles: the server")
    .option("--token-file <file>", "of discord-roles: file with the token of a bot; - reads standard input")
    .option(
      "--role <RANK=ROLEID>",
      "the role that a rank gives, or none; repeat the option for each rank. Other ranks stay as they are",
      collect,
    )
    .option("--requests-per-minute <N>", "of roblox-group: 10 to 250 (default: 120)")
    .option(
      "--type <type>",
      `send these events; repeat the option for each, or name the first part, as member.* (default: ${destinationTypesDefault.join(", ")})`,
      collect,
    )
    .option(
      "--only <up|summaries|all>",
      "of discord: up sends rises and joins only, summaries the result of each period of the boards",
    );
}

export function addDestinationAdd(parent: Command, cli: Cli): void {
  const command = parent
    .command("add")
    .summary("send a clan's events somewhere")
    .description(
      `Adds a destination: a webhook of your server, messages in Discord, or roles in a Roblox group or a Discord server that follow the ranks. ` +
        `URLs, keys and tokens are read from files and encrypted. The signing secret of a webhook is printed once. A clan has at most ${DESTINATIONS_PER_CLAN_MAX} destinations.`,
    )
    .argument("<clanId>", "the clan")
    .requiredOption("--kind <kind>", destinationKinds.join(", "))
    .requiredOption("--name <name>", "display name, 1 to 64 characters");
  addSettingOptions(command)
    .option("--from <oldest|now|time>", "the first event that is sent (default: now)")
    .addHelpText(
      "after",
      examples([
        ["clanxp destination add rovers --kind webhook --name site --url-file url.txt", "your own server"],
        [
          "clanxp destination add rovers --kind discord --name announcements --url-file - --only up < url.txt",
          "a message in Discord for each rise and join",
        ],
        [
          "clanxp destination add rovers --kind discord --name results --url-file - --only summaries < url.txt",
          "a message in Discord when a week or a season is final",
        ],
        [
          "clanxp destination add rovers --kind roblox-group --name group --group 4711 --api-key-file key.txt --role Elite=98765",
          "members of the rank Elite get this role of the group",
        ],
      ]),
    )
    .action(async (clanIdText: string, options: Options) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      const kind = kindIn(options.kind, faults);
      const { roleChanges, ...settings } = settingsIn(options, kind, faults);
      const roles = roleChanges ? { roles: withRoleChanges({}, roleChanges) } : {};
      const from = options.from === undefined ? {} : { from: fromIn(options.from, faults) };
      rejectFaults(faults);
      const { by, manage, clans } = await openDestinationsBy(cli);
      const added = await manage.add({ clanId, kind, ...settings, ...roles, ...from }, by);
      if (added.kind === "rejected") {
        if (added.why === "no_clan") throw await unknownClan(clanId, clans);
        throw rejectedDestination(added, kind);
      }
      const shown = await shownOrThrow(manage.show, added.destination.destinationId);
      cli.print(changedResult(shown, added));
    });
}

type Options = SettingOptions & { kind: string; from?: string };
