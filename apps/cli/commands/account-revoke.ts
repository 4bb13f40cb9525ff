// account revoke: withdraws an account's role in one clan.
import type { Command } from "commander";
import { makeCliAccounts } from "../open/credentials.ts";
import type { Cli } from "../cli.ts";
import { CliError, rejectFaults } from "../cli-error.ts";
import { examples } from "../show/text.ts";
import { notFound } from "../show/not-found.ts";
import { clanIdIn, type Faults } from "../parse/options.ts";
import { accountResult } from "../show/account.ts";

export function addAccountRevoke(parent: Command, cli: Cli): void {
  parent
    .command("revoke")
    .summary("withdraw an account's role in a clan")
    .description(
      "Withdraws the role of an account in a clan. It acts on open sessions immediately; the account and its other roles stay.",
    )
    .argument("<name>", "the account, as clanxp account list shows it")
    .option("--clan <clanId>", "the clan that the account may no longer see")
    .addHelpText(
      "after",
      examples([["clanxp account revoke ada@example.com --clan hikers", "she keeps her other clans"]]),
    )
    .action(async (nameText: string, options: { clan?: string }) => {
      const faults: Faults = [];
      if (options.clan === undefined) faults.push("--clan is missing: name the clan");
      const clanId = clanIdIn(options.clan ?? "", options.clan === undefined ? [] : faults);
      rejectFaults(faults);
      const by = cli.by();
      const name = nameText.toLowerCase();
      const revoked = await makeCliAccounts(await cli.servers.stores()).revoke(name, clanId, by);
      switch (revoked.kind) {
        case "revoked": {
          const noOwner = revoked.ownerless ? ` The clan ${clanId} has no owner any more.` : "";
          return cli.print(accountResult(revoked.account, `Revoked.${noOwner}`));
        }
        case "no_account":
          throw notFound.account(name);
        case "no_grant":
          throw new CliError(
            "grant_not_found",
            `The account "${name}" has no role in the clan "${clanId}". clanxp account list shows all roles.`,
          );
      }
    });
}
