// `npm run check`: runs every check of the source.

import { runChecks } from "./run-checks.ts";
import { exitOnSignal } from "../system/exit-on-signal.js";
import { messageOf } from "../system/message-of.js";

exitOnSignal();
try {
  const { passed, failed } = await runChecks((line) => console.log(line));
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
