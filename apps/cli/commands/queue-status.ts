// queue status: the jobs in Redis, and their batches in MongoDB.
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { examples, facts } from "../show/text.ts";
import { load } from "../open/load.ts";
import type { Servers } from "../open/servers.ts";
import { queueFacts, withQueue } from "../open/queue.ts";

export function addQueueStatus(parent: Command, cli: Cli): void {
  parent
    .command("status")
    .summary("show waiting and running batches")
    .description(
      "Shows the queue's jobs by state, and the number of unfinished batches. The workers' recovery scan queues batches that have no job.",
    )
    .addHelpText(
      "after",
      examples([["clanxp queue status --json | jq .unfinishedBatches", "number of unfinished batches"]]),
    )
    .action(async () => {
      const [[fault, status], backlog] = await Promise.all([
        withQueue(cli.servers, (queue) => Promise.all([redisFault(cli.servers), queue.status()])),
        cli.servers.stores().then(({ batches }) => batches.backlog()),
      ]);
      const oldest = backlog.oldestCreatedAt?.toISOString() ?? null;
      cli.print({
        json: { ...status, redisFault: fault, unfinishedBatches: backlog.unfinished, oldestUnfinishedAt: oldest },
        text: ({ time }) =>
          facts([
            ...queueFacts(status, fault),
            [
              "batches",
              `${backlog.unfinished} unfinished${oldest === null ? "" : `, the oldest from ${time(oldest)}`}`,
            ],
          ]),
      });
    });
}

/** Why Redis rejects writes, with the fix. Jobs can still be counted then. */
async function redisFault(servers: Servers): Promise<string | null> {
  const [redis, { findRedisFault }] = await Promise.all([servers.redis(), load.redisFault()]);
  return (await findRedisFault(redis, servers.namespace()))?.message ?? null;
}
