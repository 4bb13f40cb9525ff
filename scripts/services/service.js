// One server of one data folder that can be started again and again, always at the same port and on the same data.

import { join } from "node:path";
import { findServer } from "../servers/find-server.js";
import { startTimeOf, stopProcess } from "../system/processes.js";
import { launch, logTail } from "./launch.js";
import { readNote, writeNote } from "./notes.js";
import { freePort } from "./ports.js";

const ORPHAN_GRACE_MS = 10_000;
const FAILED_START_GRACE_MS = 5_000;

/**
 * @typedef {object} Kind
 * @property {"mongod" | "redis"} name
 * @property {(port: number) => string} url
 * @property {(at: { dataDir: string, port: number, inContainer: boolean }) => string[]} args
 * @property {(at: { port: number, node: string }) => Promise<void>} whenReady
 *
 * @typedef {object} Service
 * @property {string} name
 * @property {string} url
 * @property {import("../servers/find-server.js").ChosenServer} server
 * @property {() => Promise<import("./launch.js").Running>} start answers when it serves
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
export async function prepareService({
  kind,
  wanted,
  dataDir,
  cacheDir,
  node,
  port: wantedPort,
  log,
}) {
  const before = readNote(dataDir, kind.name);
  await stopOrphan(before, dataDir, log);
  const server = await findServer(wanted, { cacheDir, node, log, preferred: before.from });
  const port = await freePort(wantedPort ?? before.port);
  const logFile = join(dataDir, "logs", `${kind.name}.log`);

  return {
    name: kind.name,
    url: kind.url(port),
    server,
    async start() {
      const args = kind.args({ dataDir, port, inContainer: server.image !== undefined });
      const running = await launch({ server, args, dataDir, port, logFile });
      writeNote(dataDir, kind.name, {
        pid: running.pid,
        startTime: startTimeOf(running.pid),
        port,
        version: server.version,
        from: server.from,
      });
      const early = running.exited.then((how) => {
        throw new Error(how);
      });
      try {
        await Promise.race([kind.whenReady({ port, node }), early]);
      } catch (error) {
        await running.stop(FAILED_START_GRACE_MS);
        throw new Error(
          notUp({
            kind,
            server,
            before,
            logFile,
            reason: error instanceof Error ? error.message : String(error),
          }),
        );
      }
      early.catch(() => {}); // from here on whoever asked for the start watches `exited`
      return running;
    },
  };
}

/**
 * A supervisor killed with -9 leaves its servers behind: one that still sits on this data is asked to go first.
 * @param {Partial<import("./notes.js").Note>} note
 * @param {string} dataDir
 * @param {(line: string) => void} log
 */
async function stopOrphan({ pid, startTime, from }, dataDir, log) {
  if (pid === undefined || startTime === undefined || startTimeOf(pid) !== startTime) return;
  log(`stopping ${from}, process ${pid}, left over from an earlier start on ${dataDir}`);
  await stopProcess(pid, ORPHAN_GRACE_MS);
}

/**
 * @param {{ kind: Kind, server: import("../servers/types.js").Server, before: Partial<import("./notes.js").Note>, logFile: string, reason: string }} facts
 */
function notUp({ kind, server, before, logFile, reason }) {
  const isOther = before.version !== undefined && before.version !== server.version;
  return [
    `${kind.name} ${server.version} (${server.from}) did not come up: ${reason}`,
    ...(isOther
      ? [
          `The data was last written by version ${before.version} (${before.from}), which may be why.`,
        ]
      : []),
    `The end of ${logFile}:`,
    logTail(logFile),
  ].join("\n");
}
