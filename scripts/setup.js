// `npm run setup`: does the whole set-up and prints the path of Node 24. Every other command also does the set-up.

import { cacheDir, root } from "./paths.js";
import { setUp } from "./setup/set-up.js";
import { exitOnSignal } from "./system/exit-on-signal.js";
import { messageOf } from "./system/message-of.js";

exitOnSignal();
try {
  const { node } = await setUp({ root, cacheDir, log: (line) => console.error(line) });
  console.log(`set up: ${node}`);
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
