// key create: creates an API key, and prints its secret once.
import type { Command } from "commander";
import { scopes, SCOPES_DEFAULT } from "#domain/scope.ts";
import type { Cli } from "../cli.ts";
import { examples } from "../show/text.ts";
import { makeIssueKeys } from "../open/credentials.ts";
import { clanIdIn, futureIn, nameIn, scopesIn, type Faults } from "../parse/options.ts";
import { CliError, rejectFaults } from "../cli-error.ts";
import { issuedKeyResult } from "../show/key.ts";
import { unknownClan } from "../show/not-found.ts";

export function addKeyCreate(parent: Command, cli: Cli): void {
  parent
    .command("create")
    .summary("create an API key")
    .description("Creates an API key for a clan and prints it once. A clan has at most 5 live keys.")
    .argument("<clanId>", "the clan")
    .requiredOption("--name <name>", "display name, for example of the game or the server")
    .option(
      "--scope <scope>",
      `a permission; repeat the option for each: ${scopes.join(", ")} (default: ${SCOPES_DEFAULT.join(", ")})`,
      (scope: string, earlier: readonly string[] | undefined) => [...(earlier ?? []), scope],
    )
    .option("--expires <time>", "when it expires: a date, or a timestamp with time zone (default: never)")
    .addHelpText(
      "after",
      examples([
        ["clanxp key create rovers --name game-server", "may award, deduct and read"],
        [
          "clanxp key create rovers --name website --scope read --expires 2031-01-01",
          "may read, until the start of that day (UTC)",
        ],
        ["clanxp key create rovers --name ci --json | jq -r .secret > ci.key", "into a file, not on the screen"],
      ]),
    )
    .action(async (clanIdText: string, options: { name: string; scope?: string[]; expires?: string }) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      const request = {
        clanId,
        name: nameIn("--name", options.name, faults),
        scopes: options.scope ? scopesIn(options.scope, faults) : SCOPES_DEFAULT,
        expiresAt:
          options.expires === undefined ? null : futureIn("--expires", options.expires, cli.clock.now(), faults),
      };
      rejectFaults(faults);
      const by = cli.by();

      const stores = await cli.servers.preparedStores();
      const issued = await makeIssueKeys(stores).createKey(request, by);
      if (issued.kind === "no_clan") throw await unknownClan(clanId, stores.clans);
      if (issued.kind !== "issued") throw new CliError("too_many_keys", issued.detail);
      cli.print(issuedKeyResult(issued, ""));
    });
}
