// `npm test`: sets up, runs every check and every test on real servers, and prints how many passed and failed as its
// last line. Further arguments go to vitest: `npm test -- test/domain`, or `npm test -- --changed`. Without any, the
// containers suite runs too if a Docker engine answers: beside the other suites, because it mostly waits. Speed is
// measured alone, after everything else.

import { argsOfChanged } from "./check/args-of-changed.js";
import { runChecks } from "./check/run-checks.js";
import { runTests } from "./check/run-tests.js";
import { runContainers } from "./containers/run-containers.js";
import { cacheDir, root } from "./paths.js";
import { setUp } from "./setup/set-up.js";
import { exitOnSignal } from "./system/exit-on-signal.js";
import { messageOf } from "./system/message-of.js";

/** @typedef {{ passed: number, failed: number }} Counts */

exitOnSignal();
try {
  const { node } = await setUp({ root, cacheDir, log: (line) => console.error(line) });
  const args = process.argv.slice(2);
  const counts = args.length === 0 ? await runAll(node) : await runSome(node, args);
  const [passed, failed] = [sum(counts.map((each) => each.passed)), sum(counts.map((each) => each.failed))];
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  console.error(messageOf(error));
  console.log("0 passed, 1 failed");
  process.exitCode = 1;
}

/**
 * @param {string} node
 * @returns {Promise<Counts[]>}
 */
async function runAll(node) {
  const print = (/** @type {string} */ line) => console.log(line);
  const containers = runContainers({ node, args: [], log: (line) => console.error(line), printsAtEnd: true }).catch(
    (error) => {
      console.error(messageOf(error));
      return { passed: 0, failed: 1 };
    },
  );
  const checks = await runChecks({ node, print });
  const suites = await runTests({ node, args: ["--project", "!speed"] });
  const ended = await containers;
  if ("skipped" in ended) console.log(`The containers suite did not run: ${ended.skipped}`);
  const speed = await runTests({ node, args: ["--project", "speed"] });
  return [checks, suites, ...("skipped" in ended ? [] : [ended]), speed];
}

/**
 * @param {string} node
 * @param {string[]} args
 * @returns {Promise<Counts[]>}
 */
async function runSome(node, args) {
  const checks = await runChecks({ node, print: (line) => console.log(line) });
  const tests = await runTests({ node, args: await argsOfChanged(args, root) });
  const isNone = tests.passed + tests.failed === 0;
  if (isNone) console.error("No test ran.");
  // Only a change may concern no test.
  return [checks, isNone && !args.includes("--changed") ? { passed: 0, failed: 1 } : tests];
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
