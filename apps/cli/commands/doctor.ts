// doctor: problems of the servers, and how to fix them.
import type { Command } from "commander";
import { makeDoctor, type DoctorReport } from "#operations/doctor.ts";
import { AS_DECLARED, ok, type Check } from "#operations/check.ts";
import { RedisFault } from "#redis/redis-fault.ts";
import { CliError } from "../cli-error.ts";
import type { CommandResult, Cli } from "../cli.ts";
import { examples, numberOf, table } from "../show/text.ts";
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
    .option("--all", "list each collection whose indexes are as declared")
    .addHelpText(
      "after",
      examples([["clanxp doctor --json | jq '.checks[] | select(.status != \"ok\")'", "every check that is not ok"]]),
    )
    .action(async (options: { all?: true }) => {
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
      cli.print(reportResult(await doctor(), options));
    });
}

/** A fault has its fix, instead of the one for any server that does not respond. */
function throwFault(error: unknown): never {
  throw error instanceof CliError && error.cause instanceof RedisFault ? error.cause : error;
}

function reportResult({ checks, reachable }: DoctorReport, { all }: { all?: true }): CommandResult {
  const [failures, warnings] = [countOf(checks, "fail"), countOf(checks, "warn")];
  const failed = failures > 0;
  const fixes = checks.filter((check) => check.fix !== null).map((check) => `  ${check.name}: ${check.fix}`);
  return {
    json: { ok: !failed, checks },
    text: [
      table(
        ["CHECK", "STATUS", "FOUND"],
        (all ? checks : grouped(checks)).map(({ name, status, detail }) => [name, status, detail]),
      ),
      ...(fixes.length > 0 ? [["To fix:", ...fixes].join("\n")] : []),
      `${numberOf(failures, "failure")}, ${numberOf(warnings, "warning")}`,
    ].join("\n\n"),
    exitCode: reachable ? Number(failed) : 3,
  };
}

function countOf(checks: readonly Check[], status: Check["status"]): number {
  return checks.filter((check) => check.status === status).length;
}

/** The collections whose indexes are as declared in one line. */
function grouped(checks: readonly Check[]): Check[] {
  const isAsDeclared = ({ status, detail }: Check): boolean => status === "ok" && detail === AS_DECLARED;
  const asDeclared = checks.filter(isAsDeclared);
  const [first] = asDeclared;
  return checks.flatMap((check) => {
    if (!isAsDeclared(check)) return check;
    return check === first ? ok("indexes", `of ${asDeclared.length} collections ${AS_DECLARED}`) : [];
  });
}
