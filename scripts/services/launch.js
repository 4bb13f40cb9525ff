// Starts one server program for a data folder: in the foreground, in a process group of its own (a terminal's Ctrl-C
// must not hit it before API and worker have drained), output into a bounded log file.

import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { privateFolder } from "../system/private-folder.js";
import { watchChild } from "../system/watch-child.js";
import { inContainer, makeNetwork, removeContainer, removeNetwork } from "./container.js";

const LOG_BYTES_MAX = 10 * 1024 * 1024;
const TAIL_LINES = 5;
const TAIL_LINE_CHARS = 400;

/** @typedef {import("../system/watch-child.js").Running & { container?: string }} Launched */

/**
 * @param {object} options
 * @param {import("../servers/find-server.js").Server} options.server
 * @param {string[]} options.args
 * @param {string} options.dataDir
 * @param {number} options.port
 * @param {string} options.logFile
 * @returns {Promise<Launched>}
 */
export async function launch({ server, args, dataDir, port, logFile }) {
  const { command: program, image, env } = server;
  if (!image) return spawnIntoLog(program, args, { env, logFile });

  const { container, args: dockerArgs } = inContainer({ program, image, dataDir, port });
  await removeContainer(container);
  await makeNetwork(dataDir);
  const client = spawnIntoLog("docker", [...dockerArgs, ...args], { env, logFile });
  const stop = async (/** @type {number} */ graceMs) => {
    await client.stop(graceMs);
    await removeContainer(container);
    await removeNetwork(dataDir);
  };
  return { ...client, stop, container };
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{ env: Record<string, string> | undefined, logFile: string }} options
 */
function spawnIntoLog(command, args, { env, logFile }) {
  privateFolder(dirname(logFile));
  if (existsSync(logFile) && statSync(logFile).size > LOG_BYTES_MAX) renameSync(logFile, `${logFile}.1`);
  const log = openSync(logFile, "a", 0o600);
  const child = spawn(command, args, { detached: true, stdio: ["ignore", log, log], env: { ...process.env, ...env } });
  closeSync(log);
  return watchChild(child);
}

/**
 * The last lines of a log, for the message that says why a server did not come up.
 * @param {string} file
 */
export function logTail(file) {
  const lines = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  return lines
    .slice(-TAIL_LINES)
    .map((line) => `  ${line.slice(0, TAIL_LINE_CHARS)}`)
    .join("\n");
}
