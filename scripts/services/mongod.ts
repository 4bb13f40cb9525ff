// MongoDB for one data folder: a replica set of one node, since transactions need a replica set.

import { join } from "node:path";
import { root } from "../paths.js";
import { messageOf } from "../system/message-of.js";
import { privateFolder } from "../system/private-files.ts";
import { run } from "../system/run.js";
import type { Kind } from "./service.ts";

const CACHE_GB = 0.5; // mongod's default, half of the machine's memory, would leave too little for other programs
const OPLOG_MB = 990; // mongod's own minimum: there is no second node that could fall behind
const READY_TIMEOUT_MS = 90_000;

export const mongod: Kind = {
  name: "mongod",
  url: (port) => `mongodb://127.0.0.1:${port}/clanxp?replicaSet=rs0`,

  args({ dataDir, port, inContainer }) {
    const folder = privateFolder(join(dataDir, "mongo"));
    return [
      ["--replSet", "rs0", "--dbpath", folder, "--port", String(port)],
      inContainer ? ["--bind_ip_all"] : ["--bind_ip", "127.0.0.1"],
      ["--wiredTigerCacheSizeGB", String(CACHE_GB), "--oplogSize", String(OPLOG_MB)],
      "--nounixsocket", // after a crash, its socket file in /tmp would prevent the next start
      "--quiet",
      ["--setParameter", "diagnosticDataCollectionEnabled=false"],
      // A process that is killed inside a transaction leaves its members locked for this long; the default is 60.
      ["--setParameter", "transactionLifetimeLimitSeconds=10"],
    ].flat();
  },

  async whenReady({ port, ended }) {
    const made = await run(process.execPath, [join(root, "scripts", "services", "replica-set.ts"), String(port)], {
      timeoutMs: READY_TIMEOUT_MS,
      watch(cutOff) {
        const stop = () => cutOff(messageOf(ended.reason));
        ended.addEventListener("abort", stop);
        return () => ended.removeEventListener("abort", stop);
      },
    });
    if (!made.ok) throw new Error(made.reason);
  },
};
