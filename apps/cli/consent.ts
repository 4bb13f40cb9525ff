// The consent of a person to what cannot be undone: --yes, or the answer on a terminal.
import type { Cli } from "./cli.ts";
import { CliError } from "./cli-error.ts";
import type { Faults } from "./parse/options.ts";

type Consent = { yes?: boolean };
type Asking = { question: string; declined: string; unasked?: string; word?: string };

/** Adds a fault where neither --yes is set nor a person can be asked. */
export function requireYesOrTerminal(cli: Pick<Cli, "confirm">, { yes }: Consent, faults: Faults): void {
  if (!yes && !cli.confirm) faults.push("--yes is missing: without a terminal, the command cannot ask");
}

/**
 * Asks unless --yes is set. `word`: what the person has to type; without one, y or yes. Throws CliError `not_confirmed`
 * with `declined`, or with `unasked` where nobody can be asked.
 */
export async function requireConsent(
  cli: Pick<Cli, "confirm">,
  { yes }: Consent,
  { question, declined, unasked = declined, word }: Asking,
): Promise<void> {
  if (yes) return;
  if (!cli.confirm) throw new CliError("not_confirmed", unasked);
  if (!(await cli.confirm(question, word))) throw new CliError("not_confirmed", declined);
}
