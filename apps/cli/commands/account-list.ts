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
      "Lists the accounts of the dashboard, what each may do, and whether its owner has chosen a password or a passkey, or is signed in by a link.",
    )
    .addHelpText(
      "after",
      examples([["clanxp account list --json | jq -r '.accounts[] | select(.operator) | .name'", "the operators"]]),
    )
    .action(async () => {
      const stores = await cli.servers.stores();
      const accounts = await makeCliAccounts(stores).list();
      const now = cli.clock.now();
      cli.print(accountsResult(accounts, { now, sessions: await stores.sessions.generations(now) }));
    });
}
