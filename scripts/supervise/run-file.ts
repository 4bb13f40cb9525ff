// DATA_DIR/run.json contains the addresses of all processes for other programs, such as the CLI, while they run.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "../system/private-files.ts";

export function makeRunFile(dataDir: string) {
  const path = join(dataDir, "run.json");
  const pids: Record<string, number> = {};
  let urls: Record<string, string> | undefined;
  const write = () => {
    if (urls) writeWhole(path, `${JSON.stringify({ ...urls, pids }, undefined, 2)}\n`);
  };
  return {
    setPid(name: string, pid: number) {
      pids[name] = pid;
      write();
    },
    pidOf: (name: string) => pids[name],
    publish(ready: Record<"baseUrl" | "opsUrl" | "notifierOpsUrl" | "dashboardUrl" | "mongoUrl" | "redisUrl", string>) {
      urls = ready;
      write();
    },
    remove: () => {
      urls = undefined;
      rmSync(path, { force: true });
    },
  };
}
