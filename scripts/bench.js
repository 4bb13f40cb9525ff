// `npm run bench`: sets up, then measures; see test/bench/options.ts for what it takes. Its exit code is that of the
// bench.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { cacheDir, root } from "./paths.js";
import { setUp } from "./setup/set-up.js";
import { messageOf } from "./system/message-of.js";

try {
  const { node } = await setUp({ root, cacheDir, log: (line) => console.error(line) });
  const child = spawn(node, [join(root, "test", "bench", "main.ts"), ...process.argv.slice(2)], {
    cwd: root,
    stdio: "inherit",
  });
  // A Ctrl-C reaches both; the bench takes its servers along, and this one waits for it.
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.on(signal, () => child.kill(signal));
  child.once("exit", (code) => {
    process.exitCode = code ?? 1;
  });
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
