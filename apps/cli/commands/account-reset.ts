// account reset: the old password stops working, and a new link lets the person choose another.
import type { Command } from "commander";
import { makeCliAccounts } from "../open/credentials.ts";
import type { Cli } from "../cli.ts";
import { examples } from "../show/text.ts";
import { notFound } from "../show/not-found.ts";
import { invitedResult } from "../show/account.ts";

export function addAccountReset(parent: Command, cli: Cli): void {
  parent
    .command("reset")
    .summary("give an account a new link")
    .description(
      "Removes an account's password, passkeys and connected identity, and ends its sessions. Prints a link that works once, for 72 hours.",
    )
    .argument("<name>", "the account, as clanxp account list shows it")
    .addHelpText(
      "after",
      examples([["clanxp account reset ada@example.com", "she has forgotten her password, or lost the link"]]),
    )
    .action(async (name: string) => {
      const { actor: by, dashboardUrl } = cli.settings("servers", "actor", "dashboardUrl");
      const reset = await makeCliAccounts(await cli.servers.stores()).reset(name.toLowerCase(), by);
      if (reset.kind === "no_account") throw notFound.account(name);
      cli.print(
        invitedResult(
          reset,
          dashboardUrl,
          "The password, passkeys, connected identity and sessions of the account no longer work. Send this link to the person: it also works while sign-in attempts are limited.",
        ),
      );
    });
}
