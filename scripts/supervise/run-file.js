// DATA_DIR/run.json tells other programs (the CLI among them) where everything is, while everything serves.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "../system/write-whole.js";

/**
 * @param {string} dataDir
 */
export function makeRunFile(dataDir) {
  const path = join(dataDir, "run.json");
  /** @type {Record<string, number>} */
  const pids = {};
  /** @type {Record<string, string> | undefined} */
  let urls;
  const write = () => {
    if (urls) writeWhole(path, `${JSON.stringify({ ...urls, pids }, undefined, 2)}\n`);
  };
  return {
    /** @param {string} name @param {number} pid */
    setPid(name, pid) {
      pids[name] = pid;
      write();
    },
    /** @param {string} name */
    pidOf: (name) => pids[name],
    /** @param {{ baseUrl: string, opsUrl: string, dashboardUrl: string, mongoUrl: string, redisUrl: string }} ready */
    publish(ready) {
      urls = ready;
      write();
    },
    remove: () => {
      urls = undefined;
      rmSync(path, { force: true });
    },
  };
}
