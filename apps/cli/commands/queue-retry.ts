// queue retry: queues every unfinished batch without a live job now, instead of at the workers' next recovery scan.
import type { Command } from "commander";
import { makeRecoverBatches } from "#usecases/batches/recover-batches.ts";
import type { Cli } from "../cli.ts";
import { examples } from "../examples.ts";
import { silentLog } from "../servers.ts";
import { facts } from "../table.ts";
import { withQueue } from "../with-queue.ts";

export function addQueueRetry(parent: Command, cli: Cli): void {
  parent
    .command("retry")
    .summary("queue every unfinished batch that has no live job")
    .description(
      "Queues every accepted, unfinished batch whose job failed or was lost with its Redis. Workers do the same " +
        "automatically after some seconds. No award is applied twice.",
    )
    .addHelpText("after", examples([["clanxp queue retry", "after Redis was restored without its data"]]))
    .action(async () => {
      const database = await cli.servers.mongo();
      const { makeBatchStore } = await import("#store/batch-store.ts");
      const report = await withQueue(cli.servers, (queue) =>
        makeRecoverBatches({ batches: makeBatchStore(database), queue, clock: cli.clock, log: silentLog })({ ageMs: 0 }),
      );
      cli.answer({
        json: report,
        text: facts([
          ["unfinished", `${report.unfinished} batches`],
          ["queued", `${report.revived}, the others had a live job`],
        ]),
      });
    });
}
