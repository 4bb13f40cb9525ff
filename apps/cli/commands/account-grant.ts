// account grant: gives an existing account a role in one more clan, or another role in a clan.
import type { Command } from "commander";
import { makeCliAccounts } from "../open/credentials.ts";
import type { Cli } from "../cli.ts";
import { CliError, rejectFaults } from "../cli-error.ts";
import { examples } from "../show/text.ts";
import { notFound, unknownClan } from "../show/not-found.ts";
import { grantIn, ROLE_HELP, type Faults } from "../parse/options.ts";
import { accountResult } from "../show/account.ts";

export function addAccountGrant(parent: Command, cli: Cli): void {
  parent
    .command("grant")
    .summary("give an account a role in a clan")
    .description(
      "Gives an existing account a role in a clan, in place of its present role there. It acts on open sessions immediately; password, passkeys and other clans stay.",
    )
    .argument("<name>", "the account, as clanxp account list shows it")
    .option("--clan <clanId>", "the clan that the account may see")
    .option("--role <role>", ROLE_HELP)
    .addHelpText(
      "after",
      examples([
        ["clanxp account grant ada@example.com --clan hikers --role viewer", "one more clan for her"],
        ["clanxp account grant mod@example.com --clan hikers --role moderator", "gives and takes XP there"],
      ]),
    )
    .action(async (nameText: string, options: { clan?: string; role?: string }) => {
      const faults: Faults = [];
      const grant = grantIn(options, faults);
      rejectFaults(faults);
      const by = cli.by();
      const name = nameText.toLowerCase();
      const stores = await cli.servers.stores();
      const granted = await makeCliAccounts(stores).grant(name, grant, by);
      switch (granted.kind) {
        case "granted": {
          const noOwner = granted.ownerless ? ` The clan ${grant.clanId} has no owner.` : "";
          return cli.print(accountResult(granted.account, `Granted. Open sessions have the role already.${noOwner}`));
        }
        case "clan_not_found":
          throw await unknownClan(grant.clanId, stores.clans);
        case "no_account":
          throw notFound.account(name);
        case "operator":
          throw new CliError(
            "account_is_operator",
            `The account "${name}" is an operator's: it may do everything in all clans.`,
          );
      }
    });
}
