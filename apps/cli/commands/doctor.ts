// doctor: what is wrong with the servers, and how it is mended.
import type { Command } from "commander";
import { makeDoctor, type DoctorReport } from "#usecases/operations/doctor.ts";
import type { CommandResult, Cli } from "../cli.ts";
import { examples } from "../examples.ts";
import { table } from "../table.ts";
import { withQueue } from "../with-queue.ts";

export function addDoctor(program: Command, cli: Cli): void {
  program
    .command("doctor")
    .summary("check the servers, and say how to mend what is wrong")
    .description(
      "Checks MongoDB and Redis: versions, replica set, write majority, indexes, eviction, append-only file, clocks, waiting batches. " +
        "Exit 0 when nothing fails (warnings do not), 1 when something does, 3 when a server cannot be reached. It changes nothing.",
    )
    .addHelpText("after", examples([["clanxp doctor --json | jq '.checks[] | select(.status != \"ok\")'", "what is not as it should be"]]))
    .action(async () => {
      const doctor = makeDoctor({
        async mongo() {
          const { inspectMongo } = await import("#store/inspect-mongo.ts");
          return inspectMongo(await cli.servers.mongo(), cli.clock);
        },
        redis: () =>
          withQueue(cli.servers, async (queue) => {
            const { inspectRedis } = await import("#redis/inspect-redis.ts");
            return inspectRedis(await cli.servers.redis(), queue, cli.clock);
          }),
        clock: cli.clock,
      });
      cli.answer(reportResult(await doctor()));
    });
}

function reportResult({ checks, reachable }: DoctorReport): CommandResult {
  const failed = checks.some((check) => check.status === "fail");
  const mends = checks.filter((check) => check.mend !== null).map((check) => `  ${check.name}: ${check.mend}`);
  return {
    json: { ok: !failed, checks },
    text: [
      table(
        ["CHECK", "STATUS", "FOUND"],
        checks.map(({ name, status, detail }) => [name, status, detail]),
      ),
      ...(mends.length > 0 ? [["To mend:", ...mends].join("\n")] : []),
    ].join("\n\n"),
    exitCode: reachable ? Number(failed) : 3,
  };
}
