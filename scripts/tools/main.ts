// `npm run setup:tools`: fetches and builds the tools of list.ts into the cache. It takes minutes the first time. Without
// it, the checks and the tests that need a tool are left out with a message.

import { cacheDir } from "../paths.js";
import { exitOnSignal } from "../system/exit-on-signal.js";
import { withLock } from "../system/lock.js";
import { findTool } from "./find-tool.ts";
import { tools } from "./list.ts";
import { join } from "node:path";

exitOnSignal();
const log = (line: string) => console.error(line);
await withLock(join(cacheDir, "tools.lock"), log, async () => {
  // Concurrently: only Go's builds use the CPU, and the others wait for downloads.
  await Promise.all(
    Object.entries(tools).map(async ([name, tool]) => {
      const answer = await findTool(tool, { cacheDir, mayFetch: true, log });
      if ("reason" in answer) process.exitCode = 1;
      console.log("value" in answer ? `${name}: ${answer.value.path}` : `${name} cannot be had: ${answer.reason}`);
    }),
  );
});
