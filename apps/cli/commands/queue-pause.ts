// queue pause: workers finish what they run and take nothing new.
import type { Command } from "commander";
import { makePauseQueue } from "#operations/pause-queue.ts";
import type { Cli } from "../cli.ts";
import { examples, facts } from "../show/text.ts";
import { queueFacts, withQueue } from "../open/queue.ts";

export function addQueuePause(parent: Command, cli: Cli): void {
  parent
    .command("pause")
    .summary("stop workers from starting batches and reversals")
    .description(
      "Workers finish the batches that they run and start no new ones, on every machine, until clanxp queue resume. Reversals wait as well. Both are " +
        "still accepted and answered with 202; single awards do not go through the queue and are not paused. Running it again changes nothing.",
    )
    .addHelpText("after", examples([["clanxp queue pause", "before maintenance"]]))
    .action(async () => {
      const by = cli.by();
      const { audit } = await cli.servers.stores();
      const status = await withQueue(cli.servers, async (queue) => {
        await makePauseQueue({ queue, audit })(true, by);
        return queue.status();
      });
      cli.print({ json: status, text: facts(queueFacts(status)) });
    });
}
