// `npm test`: runs every check and every test that is fast enough for each commit, on real servers, and prints what
// failed and, as its last line, how many passed and failed. Further arguments go to vitest: `npm test -- test/domain`,
// or `npm test -- --changed`; with `--timings` it says where the time went. `npm run test:long` (`--long`) runs the
// other tests: the projects of vitest.config.ts whose names begin with "long", and after them the containers suite if a
// Docker engine responds.

import { argsOfChanged } from "./args-of-changed.ts";
import { failureOf, printFailures } from "./failures.ts";
import { runChecks } from "./run-checks.ts";
import { runTests, type Outcome } from "./run-tests.ts";
import { withTimings } from "./timings.ts";
import { runContainers } from "../containers/run-containers.ts";
import { root } from "../paths.js";
import { exitOnSignal } from "../system/exit-on-signal.js";
import { messageOf } from "../system/message-of.js";

const print = (line: string) => console.log(line);
const log = (line: string) => console.error(line);

exitOnSignal();
try {
  const args = process.argv.slice(2);
  const outcomes = await withTimings(args, runPart);
  printFailures(
    outcomes.flatMap(({ failures }) => failures),
    print,
  );
  const [passed, failed] = [sum(outcomes.map((each) => each.passed)), sum(outcomes.map((each) => each.failed))];
  print(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  log(messageOf(error));
  print("0 passed, 1 failed");
  process.exitCode = 1;
}

function runPart(args: string[]): Promise<Outcome[]> {
  if (args.length === 0) return runShort();
  return args.length === 1 && args[0] === "--long" ? runLong() : runSome(args);
}

async function runShort(): Promise<Outcome[]> {
  // Beside each other: the linter needs half a minute of one core.
  return await Promise.all([runChecks(print), runTests({ args: ["--project", "!long*"] })]);
}

async function runLong(): Promise<Outcome[]> {
  const projects = ["long", "long-simulation", "long-lock-*"].flatMap((name) => ["--project", name]);
  // One file fewer at a time than in `npm test`, because most of these start servers.
  const together = await runTests({ args: [...projects, "--maxWorkers", "4"] });
  const alone = await runTests({ args: ["--project", "long-alone-*"] });
  // All containers together get the processor time of a single process, and what waits for them has limits: nothing
  // runs beside them.
  return [together, alone, await runContainersIfPossible()];
}

async function runContainersIfPossible(): Promise<Outcome> {
  const outcome = await runContainers({ args: [], log }).catch((error) => {
    const failure = failureOf({ project: "containers", name: "the run itself", message: messageOf(error) });
    return { passed: 0, failed: 1, failures: [failure] };
  });
  if (!("skipped" in outcome)) return outcome;
  print(`The containers suite did not run: ${outcome.skipped}`);
  return { passed: 0, failed: 0, failures: [] };
}

async function runSome(args: string[]): Promise<Outcome[]> {
  const selected = await argsOfChanged(args, { cwd: root, print });
  const [checks, tests] = await Promise.all([
    runChecks(print),
    selected ? runTests({ args: selected }) : { passed: 0, failed: 0, failures: [] },
  ]);
  if (tests.passed + tests.failed > 0) return [checks, tests];
  log("No test ran.");
  // Only with `--changed` may no test be selected.
  return [checks, { ...tests, failed: args.includes("--changed") ? 0 : 1 }];
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
