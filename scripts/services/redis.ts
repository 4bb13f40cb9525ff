// Redis for one data folder: with an append-only file, so that queued jobs survive a restart, and without eviction,
// because jobs are not a cache.

import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { privateFolder } from "../system/private-files.ts";
import type { Kind } from "./service.ts";

const READY_TIMEOUT_MS = 60_000; // a long append-only file is read first
const POLL_MS = 50;

export const redis: Kind = {
  name: "redis",
  url: (port) => `redis://127.0.0.1:${port}`,

  args({ dataDir, port, inContainer }) {
    const folder = privateFolder(join(dataDir, "redis"));
    return [
      ["--port", String(port), "--dir", folder],
      inContainer ? ["--bind", "0.0.0.0", "--protected-mode", "no"] : ["--bind", "127.0.0.1"],
      ["--appendonly", "yes", "--appendfsync", "everysec", "--save", ""],
      ["--maxmemory-policy", "noeviction"],
    ].flat();
  },

  async whenReady({ port, ended }) {
    const deadline = performance.now() + READY_TIMEOUT_MS;
    while (!(await answersPing(port))) {
      ended.throwIfAborted();
      if (performance.now() > deadline) throw new Error(`it did not respond within ${READY_TIMEOUT_MS / 1000} s`);
      await sleep(POLL_MS);
    }
  },
};

function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", () => socket.write("PING\r\n"));
    socket.once("data", (reply) => end(reply.toString().startsWith("+PONG"))); // or -LOADING
    socket.once("error", () => end(false));
    socket.once("close", () => end(false));
    socket.setTimeout(1_000, () => end(false));
  });
}
