// Builds the pages of the dashboard where they are missing or older than their sources. `npm run dashboard` does it
// before it starts.

import { buildPages } from "./dashboard/built-pages.js";
import { cacheDir, root } from "./paths.js";
import { setUp } from "./setup/set-up.js";
import { exitOnSignal } from "./system/exit-on-signal.js";
import { messageOf } from "./system/message-of.js";

exitOnSignal();
const log = (/** @type {string} */ line) => console.error(line);
try {
  const { node } = await setUp({ root, cacheDir, log });
  await buildPages({ node, log });
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
