// queue resume: ends a pause.
import type { Command } from "commander";
import { makePauseQueue } from "#operations/pause-queue.ts";
import type { Cli } from "../cli.ts";
import { examples, facts } from "../show/text.ts";
import { queueFacts, withQueue } from "../open/queue.ts";

export function addQueueResume(parent: Command, cli: Cli): void {
  parent
    .command("resume")
    .summary("let workers start batches and reversals again")
    .description("Ends a pause: workers start waiting batches and reversals. Running it again changes nothing.")
    .addHelpText("after", examples([["clanxp queue resume", "after maintenance"]]))
    .action(async () => {
      const by = cli.by();
      const { audit } = await cli.servers.stores();
      const status = await withQueue(cli.servers, async (queue) => {
        await makePauseQueue({ queue, audit })(false, by);
        return queue.status();
      });
      cli.print({ json: status, text: facts(queueFacts(status)) });
    });
}
