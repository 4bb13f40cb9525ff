// The consent of a person to what cannot be undone: --yes, or the answer on a terminal.
import type { Cli } from "./cli.ts";
import { CliError } from "./cli-error.ts";
import type { Faults } from "./parse/options.ts";

type Consent = { yes?: boolean };

/** Adds a fault where neither --yes is set nor a person can be asked. */
export function requireYesOrTerminal(cli: Pick<Cli, "confirm">, { yes }: Consent, faults: Faults): void {
  if (!yes && !cli.confirm) faults.push("--yes is missing: without a terminal, the command cannot ask");
}

/**
 * Asks unless --yes is set. `word`: what the person has to type; without one, y or yes. Throws CliError `not_confirmed`.
 */
export async function requireConsent(
  cli: Pick<Cli, "confirm">,
  { yes }: Consent,
  { question, declined, word }: { question: string; declined: string; word?: string },
): Promise<void> {
  if (!yes && !(await cli.confirm?.(question, word))) throw new CliError("not_confirmed", declined);
}
