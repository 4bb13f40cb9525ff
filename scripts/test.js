// `npm test`: sets up, runs every check and every test on real servers, and says as its last line how many passed and failed.
// Further arguments go to vitest: `npm test -- test/domain`. Without any, the containers suite runs too where a Docker engine answers.

import { runChecks } from "./check/run-checks.js";
import { runTests } from "./check/run-tests.js";
import { runContainers } from "./containers/run-containers.js";
import { cacheDir, root } from "./paths.js";
import { setUp } from "./setup/set-up.js";
import { exitOnSignal } from "./system/exit-on-signal.js";
import { messageOf } from "./system/message-of.js";

exitOnSignal();
try {
  const { node } = await setUp({ root, cacheDir, log: (line) => console.error(line) });
  const checks = await runChecks({ node, print: (line) => console.log(line) });
  const args = process.argv.slice(2);
  const suites = await runTests({ node, args });
  const containers = args.length === 0 ? await runContainers({ node, args, log: (line) => console.error(line) }) : { passed: 0, failed: 0 };
  if ("skipped" in containers) console.log(`The containers suite did not run: ${containers.skipped}`);
  const tests = "skipped" in containers ? suites : { passed: suites.passed + containers.passed, failed: suites.failed + containers.failed };
  if (tests.passed + tests.failed === 0) console.error("No test ran.");
  const failed = checks.failed + tests.failed;
  console.log(`${checks.passed + tests.passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && tests.passed > 0 ? 0 : 1;
} catch (error) {
  console.error(messageOf(error));
  console.log("0 passed, 1 failed");
  process.exitCode = 1;
}
