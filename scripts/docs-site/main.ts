// `npm run docs`: builds the documentation site if it is missing or older than the pages. The API serves it at /docs.

import { buildSite } from "./built-site.ts";
import { exitOnSignal } from "../system/exit-on-signal.js";
import { messageOf } from "../system/message-of.js";

exitOnSignal();
const log = (line: string) => console.error(line);
try {
  await buildSite(log);
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
