// account list: the people who may sign in to the dashboard.
import type { Command } from "commander";
import { makeCliAccounts } from "../open/credentials.ts";
import type { Cli } from "../cli.ts";
import { examples } from "../show/text.ts";
import { accountsResult } from "../show/account.ts";

export function addAccountList(parent: Command, cli: Cli): void {
  parent
    .command("list")
    .summary("list the accounts of the dashboard")
    .description(
      "Lists the accounts of the dashboard, what each may do, and whether its owner has chosen a password or a passkey.",
    )
    .addHelpText(
      "after",
      examples([["clanxp account list --json | jq -r '.accounts[] | select(.operator) | .name'", "the operators"]]),
    )
    .action(async () => {
      const accounts = await makeCliAccounts(await cli.servers.stores()).list();
      cli.print(accountsResult(accounts, cli.clock.now()));
    });
}
