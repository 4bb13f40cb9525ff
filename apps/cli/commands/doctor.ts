// doctor: problems of the servers, and how to fix them.
import type { Command } from "commander";
import { makeDoctor, type DoctorReport } from "#usecases/operations/doctor.ts";
import { RedisFault } from "#redis/redis-fault.ts";
import { CliError } from "../cli-error.ts";
import type { CommandResult, Cli } from "../cli.ts";
import { examples, table } from "../show/text.ts";
import { load } from "../open/load.ts";
import { withQueue } from "../open/queue.ts";

export function addDoctor(program: Command, cli: Cli): void {
  program
    .command("doctor")
    .summary("check the servers and print a fix for each failed check")
    .description(
      "Checks MongoDB and Redis: versions, replica set, write majority, indexes, writes, memory, eviction, append-only file, clocks, waiting batches, destinations. " +
        "Exits with code 0 if no check fails (warnings do not count), 1 if one does, 3 if a server is unreachable. It changes nothing.",
    )
    .addHelpText(
      "after",
      examples([["clanxp doctor --json | jq '.checks[] | select(.status != \"ok\")'", "every check that is not ok"]]),
    )
    .action(async () => {
      const { secretsKey } = cli.settings("servers", "secretsKey");
      const doctor = makeDoctor({
        mongo: async () => (await cli.servers.stores()).inspectMongo(cli.clock),
        redis: () =>
          withQueue(cli.servers, async (queue) => {
            const { inspectRedis } = await load.inspectRedis();
            const [redis, namespace] = [await cli.servers.redis(), cli.servers.namespace()];
            const facts = await inspectRedis({ redis, namespace, queue, clock: cli.clock });
            return { ...facts, ignoredOptions: cli.servers.ignoredRedisOptions() };
          }).catch(throwFault),
        open: secretsKey === null ? null : (await load.sealer()).makeSealer(secretsKey).open,
        clock: cli.clock,
      });
      cli.print(reportResult(await doctor()));
    });
}

/** A fault has its fix, instead of the one for any server that does not respond. */
function throwFault(error: unknown): never {
  throw error instanceof CliError && error.cause instanceof RedisFault ? error.cause : error;
}

function reportResult({ checks, reachable }: DoctorReport): CommandResult {
  const failed = checks.some((check) => check.status === "fail");
  const fixes = checks.filter((check) => check.fix !== null).map((check) => `  ${check.name}: ${check.fix}`);
  return {
    json: { ok: !failed, checks },
    text: [
      table(
        ["CHECK", "STATUS", "FOUND"],
        checks.map(({ name, status, detail }) => [name, status, detail]),
      ),
      ...(fixes.length > 0 ? [["To fix:", ...fixes].join("\n")] : []),
    ].join("\n\n"),
    exitCode: reachable ? Number(failed) : 3,
  };
}
