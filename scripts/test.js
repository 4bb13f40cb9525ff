// `npm test`: sets up, runs every check and every test on real servers, and prints what failed and, as its last line,
// how many passed and failed. Further arguments go to vitest: `npm test -- test/domain`, or `npm test -- --changed`.
// Without any, what ran out of time is run again on its own, and the containers suite runs if a Docker engine answers.
// Speed is measured last. One after the other: each is kept from its time by what runs beside it.

import { argsOfChanged } from "./check/args-of-changed.js";
import { failureOf } from "./check/failure-of.js";
import { printFailures } from "./check/print-failures.js";
import { runChecks } from "./check/run-checks.js";
import { runLateAgain } from "./check/run-late-again.js";
import { runTests } from "./check/run-tests.js";
import { runContainers } from "./containers/run-containers.js";
import { cacheDir, root } from "./paths.js";
import { setUp } from "./setup/set-up.js";
import { exitOnSignal } from "./system/exit-on-signal.js";
import { messageOf } from "./system/message-of.js";

/** @typedef {import("./check/run-tests.js").Outcome} Outcome */

const print = (/** @type {string} */ line) => console.log(line);
const log = (/** @type {string} */ line) => console.error(line);

exitOnSignal();
try {
  const { node } = await setUp({ root, cacheDir, log });
  const args = process.argv.slice(2);
  const outcomes = args.length === 0 ? await runAll(node) : await runSome(node, args);
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

/**
 * @param {string} node
 * @returns {Promise<Outcome[]>}
 */
async function runAll(node) {
  const checks = await runChecks({ node, print });
  const suites = await runTests({ node, args: ["--project", "!speed"] });
  const settled = await runLateAgain({ outcome: suites, run: (args) => runTests({ node, args }), print });
  const containers = await runContainers({ node, args: [], log }).catch((error) => ({
    passed: 0,
    failed: 1,
    failures: [failureOf({ project: "containers", name: "the run itself", message: messageOf(error) })],
  }));
  if ("skipped" in containers) print(`The containers suite did not run: ${containers.skipped}`);
  const speed = await runTests({ node, args: ["--project", "speed"] });
  return [checks, settled, ...("skipped" in containers ? [] : [containers]), speed];
}

/**
 * @param {string} node
 * @param {string[]} args
 * @returns {Promise<Outcome[]>}
 */
async function runSome(node, args) {
  const checks = await runChecks({ node, print });
  const tests = await runTests({ node, args: await argsOfChanged(args, root) });
  if (tests.passed + tests.failed > 0) return [checks, tests];
  log("No test ran.");
  // Only a change may concern no test.
  return [checks, { ...tests, failed: args.includes("--changed") ? 0 : 1 }];
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
