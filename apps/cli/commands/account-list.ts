// account list: who may sign in to the dashboard.
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { examples } from "../examples.ts";
import { accountsResult } from "../show-account.ts";

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
      const { makeCliAccounts } = await import("../cli-accounts.ts");
      const { accounts } = makeCliAccounts(await cli.servers.mongo());
      cli.answer(accountsResult(await accounts.list(), cli.clock.now()));
    });
}
