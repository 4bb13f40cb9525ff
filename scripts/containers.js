// `npm run test:containers`: the suite of containers, on a Docker engine. Exit 1 where none answers; `npm test` then
// says so and goes on.

import { runContainers } from "./containers/run-containers.js";
import { cacheDir, root } from "./paths.js";
import { setUp } from "./setup/set-up.js";
import { exitOnSignal } from "./system/exit-on-signal.js";
import { messageOf } from "./system/message-of.js";

exitOnSignal();
try {
  const log = (/** @type {string} */ line) => console.error(line);
  const { node } = await setUp({ root, cacheDir, log });
  const result = await runContainers({ node, args: process.argv.slice(2), log });
  if ("skipped" in result) throw new Error(`The containers suite did not run: ${result.skipped}`);
  console.log(`${result.passed} passed, ${result.failed} failed`);
  process.exitCode = result.failed === 0 && result.passed > 0 ? 0 : 1;
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
