// account remove: the person can no longer sign in, and is signed out everywhere.
import type { Command } from "commander";
import { makeCliAccounts } from "../open/credentials.ts";
import type { Cli } from "../cli.ts";
import { examples } from "../show/text.ts";
import { notFound } from "../show/not-found.ts";
import { accountResult } from "../show/account.ts";

export function addAccountRemove(parent: Command, cli: Cli): void {
  parent
    .command("remove")
    .summary("remove an account")
    .description(
      "Removes an account of the dashboard. Its sessions and its link end immediately. What the person changed remains.",
    )
    .argument("<name>", "the account, as clanxp account list shows it")
    .addHelpText("after", examples([["clanxp account remove ada@example.com", "she is signed out everywhere"]]))
    .action(async (name: string) => {
      const by = cli.by();
      const removed = await makeCliAccounts(await cli.servers.stores()).remove(name.toLowerCase(), by);
      if (!removed) throw notFound.account(name);
      cli.print(accountResult(removed, "Removed. Its sessions have ended."));
    });
}
