// queue retry: queues every unfinished batch and reversal without a live job now, instead of at the workers' next
// recovery scan.
import type { Command } from "commander";
import { makeRecoverBatches } from "#batches/recover-batches.ts";
import type { Cli } from "../cli.ts";
import { examples, facts } from "../show/text.ts";
import { silentLog } from "../open/servers.ts";
import { withQueue } from "../open/queue.ts";

export function addQueueRetry(parent: Command, cli: Cli): void {
  parent
    .command("retry")
    .summary("queue every unfinished batch and reversal that has no live job")
    .description(
      "Queues every accepted, unfinished batch or reversal whose job failed or was lost with its Redis. Workers do the same " +
        "automatically after a few seconds. No award is applied or reversed twice.",
    )
    .addHelpText("after", examples([["clanxp queue retry", "after Redis was restored without its data"]]))
    .action(async () => {
      const stores = await cli.servers.stores();
      const deps = { clock: cli.clock, log: silentLog };
      const { batches, reversals } = await withQueue(cli.servers, async (queue) => {
        const recoverBatches = makeRecoverBatches({ ...deps, batches: stores.batches, queue });
        const recoverReversals = makeRecoverBatches({ ...deps, batches: stores.reversals, queue: queue.reversals });
        return { batches: await recoverBatches({ ageMs: 0 }), reversals: await recoverReversals({ ageMs: 0 }) };
      });
      cli.print({
        json: { ...batches, reversals },
        text: facts([
          ["unfinished", `${batches.unfinished} batches, ${reversals.unfinished} reversals`],
          ["queued", `${batches.revived} batches, ${reversals.revived} reversals; the others had a live job`],
        ]),
      });
    });
}
