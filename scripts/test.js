// `npm test`: sets up, runs every check and every test on real servers, and says as its last line how many passed and failed.
// Further arguments go to vitest: `npm test -- test/domain`.

import { runChecks } from "./check/run-checks.js";
import { runTests } from "./check/run-tests.js";
import { cacheDir, root } from "./paths.js";
import { setUp } from "./setup/set-up.js";
import { exitOnSignal } from "./system/exit-on-signal.js";
import { messageOf } from "./system/message-of.js";

exitOnSignal();
try {
  const { node } = await setUp({ root, cacheDir, log: (line) => console.error(line) });
  const checks = await runChecks({ node, print: (line) => console.log(line) });
  const tests = await runTests({ node, args: process.argv.slice(2) });
  if (tests.passed + tests.failed === 0) console.error("No test ran.");
  const failed = checks.failed + tests.failed;
  console.log(`${checks.passed + tests.passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && tests.passed > 0 ? 0 : 1;
} catch (error) {
  console.error(messageOf(error));
  console.log("0 passed, 1 failed");
  process.exitCode = 1;
}
