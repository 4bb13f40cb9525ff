// `npm test`: runs every check and every test on real servers, and prints what failed and, as its last line,
// how many passed and failed. Further arguments go to vitest: `npm test -- test/domain`, or `npm test -- --changed`.
// Without any, what ran out of time is run again on its own, and the containers suite runs if a Docker engine answers.
// Speed is measured last. One after the other: each is kept from its time by what runs beside it.

import { argsOfChanged } from "./args-of-changed.ts";
import { failureOf } from "./failure-of.ts";
import { printFailures } from "./print-failures.ts";
import { runChecks } from "./run-checks.ts";
import { runLateAgain } from "./run-late-again.ts";
import { runTests, type Outcome } from "./run-tests.ts";
import { runContainers } from "../containers/run-containers.ts";
import { root } from "../paths.js";
import { exitOnSignal } from "../system/exit-on-signal.js";
import { messageOf } from "../system/message-of.js";

const print = (line: string) => console.log(line);
const log = (line: string) => console.error(line);

exitOnSignal();
try {
  const args = process.argv.slice(2);
  const outcomes = args.length === 0 ? await runAll() : await runSome(args);
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

async function runAll(): Promise<Outcome[]> {
  const checks = await runChecks(print);
  const suites = await runTests({ args: ["--project", "!speed"] });
  const settled = await runLateAgain({ outcome: suites, run: (args) => runTests({ args }), print });
  const containers = await runContainers({ args: [], log }).catch((error) => ({
    passed: 0,
    failed: 1,
    failures: [failureOf({ project: "containers", name: "the run itself", message: messageOf(error) })],
  }));
  if ("skipped" in containers) print(`The containers suite did not run: ${containers.skipped}`);
  const speed = await runTests({ args: ["--project", "speed"] });
  return [checks, settled, ...("skipped" in containers ? [] : [containers]), speed];
}

async function runSome(args: string[]): Promise<Outcome[]> {
  const checks = await runChecks(print);
  const tests = await runTests({ args: await argsOfChanged(args, root) });
  if (tests.passed + tests.failed > 0) return [checks, tests];
  log("No test ran.");
  // Only a change may concern no test.
  return [checks, { ...tests, failed: args.includes("--changed") ? 0 : 1 }];
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
