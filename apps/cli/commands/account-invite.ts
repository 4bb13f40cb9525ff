// account invite: creates an account of the dashboard, and the link with which the person sets it up.
import type { Command } from "commander";
import { isAccountName, type Grant } from "#domain/account.ts";
import { makeCliAccounts } from "../open/credentials.ts";
import type { Cli } from "../cli.ts";
import { examples } from "../show/text.ts";
import { grantIn, ROLE_HELP, type Faults } from "../parse/options.ts";
import { CliError, rejectFaults } from "../cli-error.ts";
import { invitedResult } from "../show/account.ts";
import { unknownClan } from "../show/not-found.ts";

export function addAccountInvite(parent: Command, cli: Cli): void {
  parent
    .command("invite")
    .summary("invite a person to the dashboard")
    .description(
      "Creates an account and prints a link that works once, for 72 hours. It opens a page to choose a password or a passkey.",
    )
    .argument("<name>", "the name to sign in with, such as an e-mail address")
    .option("--clan <clanId>", "the clan that the account may see")
    .option("--role <role>", ROLE_HELP)
    .option("--operator", "may do everything in all clans")
    .addHelpText(
      "after",
      examples([
        ["clanxp account invite ada@example.com --clan rovers --role owner", "a clan owner"],
        ["clanxp account invite ops --operator", "an operator"],
      ]),
    )
    .action(async (nameText: string, options: { clan?: string; role?: string; operator?: boolean }) => {
      const faults: Faults = [];
      const name = accountNameIn(nameText, faults);
      const operator = options.operator ?? false;
      const grants = grantsIn(options, faults);
      rejectFaults(faults);
      const { actor: by, dashboardUrl } = cli.settings("servers", "actor", "dashboardUrl");

      const stores = await cli.servers.preparedStores();
      const invited = await makeCliAccounts(stores).invite({ name, operator, grants }, by);
      if (invited.kind === "clan_not_found") throw await unknownClan(invited.clanId, stores.clans);
      if (invited.kind === "name_taken") {
        const isOperator = (await stores.accounts.read(name))?.operator ?? false;
        throw new CliError("account_taken", `The account "${name}" exists. ${adviceFor(name, grants, isOperator)}`);
      }
      cli.print(
        invitedResult(
          invited,
          dashboardUrl,
          "Send this link to the person; it opens a page to choose a password or a passkey.",
        ),
      );
    });
}

/** An operator's account accepts no grant. */
function adviceFor(name: string, grants: readonly Grant[], isOperator: boolean): string {
  if (isOperator) return "It is an operator's: it may do everything in all clans already.";
  return `To give it access to a clan: clanxp account grant ${name} ${grantOptions(grants)}. It keeps its password.`;
}

function grantOptions([grant]: readonly Grant[]): string {
  return `--clan ${grant?.clanId ?? "<clanId>"} --role ${grant?.role ?? "<role>"}`;
}

function accountNameIn(text: string, faults: Faults): string {
  const name = text.toLowerCase();
  if (!isAccountName(name))
    faults.push(`"${text}" is not an account name: it has 1 to 100 characters of a-z 0-9 . _ @ + -`);
  return name;
}

function grantsIn(options: { clan?: string; role?: string; operator?: boolean }, faults: Faults): Grant[] {
  if (options.operator) {
    if (options.clan !== undefined || options.role !== undefined)
      faults.push("--operator applies to all clans and cannot be combined with --clan or --role");
    return [];
  }
  return [grantIn(options, faults, ", or give --operator")];
}
