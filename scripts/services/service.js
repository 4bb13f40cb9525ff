// One server of one data folder that can be started again and again, always at the same port and on the same data.

import { join } from "node:path";
import { findServer } from "../servers/find-server.js";
import { launch, logTail } from "./launch.js";
import { readNote, writeNote } from "./notes.js";
import { stopOrphan } from "./orphan.js";
import { freePort } from "./ports.js";
import { messageOf } from "../system/message-of.js";

const FAILED_START_GRACE_MS = 5_000;

/**
 * @typedef {import("../system/watch-child.js").Running} Running
 *
 * @typedef {object} Kind
 * @property {"mongod" | "redis"} name
 * @property {(port: number) => string} url
 * @property {(at: { dataDir: string, port: number, inContainer: boolean }) => string[]} args
 * @property {(at: { port: number, node: string, ended: AbortSignal }) => Promise<void>} whenReady rejects, with nothing left running, once
 *   the server has `ended`
 *
 * @typedef {object} Service
 * @property {string} name
 * @property {string} url
 * @property {import("../servers/find-server.js").ChosenServer} server
 * @property {(onLaunch?: (running: Running) => void) => Promise<Running>} start answers when it serves
 */

/**
 * @param {object} options
 * @param {Kind} options.kind
 * @param {import("../servers/list.js").Wanted} options.wanted
 * @param {string} options.dataDir
 * @param {string} options.cacheDir
 * @param {string} options.node
 * @param {number | undefined} [options.port]
 * @param {(line: string) => void} options.log
 * @returns {Promise<Service>}
 */
export async function prepareService({ kind, wanted, dataDir, cacheDir, node, port: wantedPort, log }) {
  await stopOrphan(dataDir, kind.name, log);
  const before = readNote(dataDir, kind.name);
  const server = await findServer(wanted, { cacheDir, node, log, preferred: before.from });
  const port = await freePort(wantedPort ?? before.port);
  const logFile = join(dataDir, "logs", `${kind.name}.log`);

  return {
    name: kind.name,
    url: kind.url(port),
    server,
    async start(onLaunch) {
      const args = kind.args({ dataDir, port, inContainer: server.image !== undefined });
      const running = await launch({ server, args, dataDir, port, logFile });
      const { pid, container } = running;
      const end = new AbortController();
      void running.exited.then((how) => end.abort(new Error(how)));
      try {
        onLaunch?.(running); // before anything that can fail, such as a write to a full disk
        const note = { ...readNote(dataDir, kind.name), pid, container, port };
        writeNote(dataDir, kind.name, note);
        await kind.whenReady({ port, node, ended: end.signal });
        // Only now: a version that cannot read the data is not the one that wrote it.
        writeNote(dataDir, kind.name, { ...note, version: server.version, from: server.from });
        return running;
      } catch (error) {
        await running.stop(FAILED_START_GRACE_MS);
        throw new Error(notUp({ kind, server, before, logFile, reason: messageOf(error) }), {
          cause: error,
        });
      }
    },
  };
}

/**
 * @param {{ kind: Kind, server: import("../servers/find-server.js").Server, before: import("./notes.js").Note, logFile: string, reason: string }} facts
 */
function notUp({ kind, server, before, logFile, reason }) {
  const isOther = before.version !== undefined && before.version !== server.version;
  return [
    `${kind.name} ${server.version} (${server.from}) did not come up: ${reason}`,
    ...(isOther ? [`The data was last written by version ${before.version} (${before.from}), which may be why.`] : []),
    `The end of ${logFile}:`,
    logTail(logFile),
  ].join("\n");
}
