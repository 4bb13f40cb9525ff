// `npm run check`: sets up, then runs every check of the source.

import { runChecks } from "./check/run-checks.js";
import { cacheDir, root } from "./paths.js";
import { setUp } from "./setup/set-up.js";
import { exitOnSignal } from "./system/exit-on-signal.js";
import { messageOf } from "./system/message-of.js";

exitOnSignal();
try {
  const { node } = await setUp({ root, cacheDir, log: (line) => console.error(line) });
  const { passed, failed } = await runChecks({ node, print: (line) => console.log(line) });
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
