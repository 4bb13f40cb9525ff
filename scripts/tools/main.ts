// `npm run setup:tools`: fetches and builds what checks deploy/ beyond its syntax (promtool, helm, kubeconform) into
// the cache. It takes minutes the first time. Without it the tests that need a tool skip, and say so.

import { cacheDir } from "../paths.js";
import { exitOnSignal } from "../system/exit-on-signal.js";
import { withLock } from "../system/lock.js";
import { findTool } from "./find-tool.ts";
import { tools } from "./list.ts";
import { join } from "node:path";

exitOnSignal();
const log = (line: string) => console.error(line);
await withLock(join(cacheDir, "tools.lock"), log, async () => {
  // Side by side: only Go's builds keep the processor busy, the rest waits for what it fetches.
  await Promise.all(
    Object.entries(tools).map(async ([name, tool]) => {
      const answer = await findTool(tool, { cacheDir, mayFetch: true, log });
      if ("reason" in answer) process.exitCode = 1;
      console.log("value" in answer ? `${name}: ${answer.value.path}` : `${name} cannot be had: ${answer.reason}`);
    }),
  );
});
