// `npm run test:containers`: the containers suite, on a Docker engine. Exit code 1 if none responds; `npm test` then
// reports this and continues.

import { runContainers } from "./run-containers.ts";
import { exitOnSignal } from "../system/exit-on-signal.js";
import { messageOf } from "../system/message-of.js";

exitOnSignal();
try {
  const log = (line: string) => console.error(line);
  const result = await runContainers({ args: process.argv.slice(2), log });
  if ("skipped" in result) throw new Error(`The containers suite did not run: ${result.skipped}`);
  console.log(`${result.passed} passed, ${result.failed} failed`);
  process.exitCode = result.failed === 0 && result.passed > 0 ? 0 : 1;
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
