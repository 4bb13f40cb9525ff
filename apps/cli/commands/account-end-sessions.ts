// account end-sessions: signs everybody out and ends all unused links, after a backup was restored.
import type { Command } from "commander";
import { makeCliAccounts } from "../open/credentials.ts";
import type { Cli } from "../cli.ts";
import { rejectFaults } from "../cli-error.ts";
import { examples } from "../show/text.ts";

export function addAccountEndSessions(parent: Command, cli: Cli): void {
  parent
    .command("end-sessions")
    .summary("end all sessions and unused links")
    .description(
      "Ends every session and every unused invitation or reset link of all accounts. Use it after you have restored a backup: what had ended since the backup is valid again in it. Passwords and passkeys stay.",
    )
    .option("--all", "of all accounts; required")
    .addHelpText("after", examples([["clanxp account end-sessions --all", "everybody signs in again"]]))
    .action(async (options: { all?: boolean }) => {
      rejectFaults(options.all ? [] : ["--all is missing: the command ends the sessions of all accounts"]);
      const by = cli.by();
      const { sessions, links } = await makeCliAccounts(await cli.servers.stores()).endSessions(by);
      cli.print({ json: { sessions, links }, text: `Ended ${sessions} sessions and ${links} unused links.` });
    });
}
