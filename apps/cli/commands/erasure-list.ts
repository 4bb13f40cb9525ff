// erasure list: what became of Roblox's requests to erase players.
import type { Command } from "commander";
import { PAGE_SIZE_DEFAULT } from "#domain/bounds.ts";
import { erasureRequestStatuses, type ErasureRequestStatus } from "#domain/erasure-hook.ts";
import type { Cli } from "../cli.ts";
import { didYouMean, rejectFaults } from "../cli-error.ts";
import { limitIn, type Faults } from "../parse/options.ts";
import { hookNotFound, requestsResult } from "../show/hook.ts";
import { examples } from "../show/text.ts";

/** About 200 bytes each. */
const REQUESTS_MAX = 10_000;

type Options = { hook?: string; status?: string; limit?: string };

export function addErasureList(parent: Command, cli: Cli): void {
  parent
    .command("list")
    .summary("list Roblox's requests to erase players")
    .description(
      "Lists the requests that Roblox has sent, newest first, with the clans in which the player was erased. They are stored for 400 days, without the player once they are done or rejected.",
    )
    .option("--hook <hookId>", "only those of this hook")
    .option("--status <status>", `only these: ${erasureRequestStatuses.join(", ")}`)
    .option("--limit <N>", `maximum number of requests, 1 to ${REQUESTS_MAX} (default: ${PAGE_SIZE_DEFAULT})`)
    .addHelpText("after", examples([["clanxp erasure list --status held", "those that wait for your decision"]]))
    .action(async (options: Options) => {
      const faults: Faults = [];
      const status = options.status === undefined ? null : statusIn(options.status, faults);
      const limit = options.limit === undefined ? PAGE_SIZE_DEFAULT : limitIn(options.limit, REQUESTS_MAX, faults);
      rejectFaults(faults);
      const { hook: hookId = null } = options;
      const { erasureRequests, erasureHooks } = await cli.servers.stores();
      if (hookId !== null && !(await erasureHooks.isKnown(hookId))) throw hookNotFound(hookId);
      cli.print(requestsResult(await erasureRequests.list({ hookId, status }, limit)));
    });
}

function statusIn(text: string, faults: Faults): ErasureRequestStatus | null {
  const status = erasureRequestStatuses.find((known) => known === text);
  if (!status)
    faults.push(
      `--status is one of ${erasureRequestStatuses.join(", ")}, not "${text}".${didYouMean(text, erasureRequestStatuses)}`,
    );
  return status ?? null;
}
