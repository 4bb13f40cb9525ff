// healthcheck: whether the process with these settings is ready. A container engine runs it every few seconds, so it
// loads no driver.
import type { Command } from "commander";
import type { DependencyState } from "#process/health.ts";
import type { Cli } from "../cli.ts";
import { examples, facts } from "../show/text.ts";
import { CliError } from "../cli-error.ts";
import { rootMessage } from "../open/servers.ts";

/**
 * Shorter than any engine's timeout of one check. A process that does not respond by then does not serve other
 * requests, either.
 */
const ANSWER_MS_MAX = 2_000;

export function addHealthcheck(program: Command, cli: Cli): void {
  program
    .command("healthcheck")
    .summary("report whether the process with the same HOST and OPS_PORT is ready")
    .description(
      "Requests /readyz on the ops port of the process with the same HOST and OPS_PORT, for example in its container. Without OPS_PORT, or with 0, it uses " +
        "the port of the running npm start; without one, OPS_PORT is 9090 by default, and must not be 0. Exits with code 0 if it is ready, 1 if it is not, 3 if nothing responds.",
    )
    .addHelpText("after", examples([["OPS_PORT=9091 clanxp healthcheck", "is the process with this ops port ready?"]]))
    .action(async () => {
      const url = `${cli.settings("opsUrl").opsUrl}/readyz`;
      const { ready, dependencies } = await readReadiness(url);
      const states = Object.entries(dependencies).map(([name, fact]): [string, string] => [name, stateIn(fact)]);
      cli.print({
        json: { ready, url, dependencies },
        text: facts([["ready", ready ? "yes" : "no"], ...states]),
        exitCode: ready ? 0 : 1,
      });
    });
}

async function readReadiness(url: string): Promise<{ ready: boolean; dependencies: Record<string, DependencyState> }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    const body: unknown = await response.json();
    const dependencies: unknown =
      typeof body === "object" && body !== null ? Reflect.get(body, "dependencies") : undefined;
    if (typeof dependencies !== "object" || dependencies === null)
      throw new Error("the response is not from an ops port of Clan XP");
    return { ready: response.ok, dependencies: dependencies as Record<string, DependencyState> };
  } catch (error) {
    throw new CliError("unreachable", `${url} cannot be reached: ${rootMessage(error)}.`, { cause: error });
  }
}

function stateIn({ state, since, detail }: DependencyState): string {
  return `${state} since ${since}${detail === undefined ? "" : `: ${detail}`}`;
}
