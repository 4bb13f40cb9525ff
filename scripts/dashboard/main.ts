// Builds the pages of the dashboard if they are missing or older than their sources. `npm run dashboard` runs this
// first.

import { buildPages } from "./built-pages.ts";
import { exitOnSignal } from "../system/exit-on-signal.js";
import { messageOf } from "../system/message-of.js";

exitOnSignal();
const log = (line: string) => console.error(line);
try {
  await buildPages(log);
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
