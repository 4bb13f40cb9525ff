// Starts one server program for a data folder: in the foreground, in a process group of its own (a terminal's Ctrl-C must not
// hit it before API and worker have drained), output into a bounded log file.

import { createHash } from "node:crypto";
import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { stopProcess } from "../system/processes.js";
import { run } from "../system/run.js";

const LOG_BYTES_MAX = 10 * 1024 * 1024;
const DOCKER_TIMEOUT_MS = 20_000;

/**
 * @typedef {object} Running
 * @property {number} pid
 * @property {Promise<string>} exited how it ended
 * @property {(graceMs: number) => Promise<void>} stop
 *
 * @typedef {object} Launch
 * @property {import("../servers/find-server.js").Server} server
 * @property {string[]} args
 * @property {string} dataDir mounted at the same path when it runs in a container
 * @property {number} port
 * @property {string} logFile
 */

/**
 * @param {Launch} options
 * @returns {Promise<Running>}
 */
export async function launch({ server, args, dataDir, port, logFile }) {
  const container = server.image && containerName(server, dataDir);
  const removeContainer = async () => {
    // A killed docker client leaves its container running, and on the port.
    if (container) await run("docker", ["rm", "--force", container], { timeoutMs: DOCKER_TIMEOUT_MS });
  };
  await removeContainer();
  const command = container ? "docker" : server.command;
  const allArgs = container ? [...dockerArgs({ server, container, dataDir, port }), ...args] : args;

  const log = openLog(logFile);
  const child = spawn(command, allArgs, {
    detached: true,
    stdio: ["ignore", log, log],
    env: { ...process.env, ...server.env },
  });
  closeSync(log);
  const exited = new Promise((/** @type {(how: string) => void} */ resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(signal ? `killed by ${signal}` : `exit code ${code}`));
  });
  if (child.pid === undefined) throw new Error(`${command} cannot be started: ${await exited}`);
  const { pid } = child;
  return {
    pid,
    exited,
    async stop(graceMs) {
      await stopProcess(pid, graceMs);
      await exited;
      await removeContainer();
    },
  };
}

/**
 * The same port inside and outside, so that the replica set's member name is true on both sides.
 * @param {{ server: import("../servers/find-server.js").Server, container: string, dataDir: string, port: number }} options
 */
function dockerArgs({ server, container, dataDir, port }) {
  const user = process.getuid ? ["--user", `${process.getuid()}:${process.getgid?.()}`] : [];
  return [
    ["run", "--rm", "--name", container, ...user],
    ["--mount", `type=bind,"source=${dataDir}","target=${dataDir}"`],
    ["--publish", `127.0.0.1:${port}:${port}`],
    ["--entrypoint", server.command, server.image ?? ""],
  ].flat();
}

/**
 * @param {import("../servers/find-server.js").Server} server
 * @param {string} dataDir
 */
function containerName(server, dataDir) {
  return `clanxp-${basename(server.command)}-${createHash("sha256").update(dataDir).digest("hex").slice(0, 12)}`;
}

/** @param {string} file */
function openLog(file) {
  mkdirSync(dirname(file), { recursive: true });
  if (existsSync(file) && statSync(file).size > LOG_BYTES_MAX) renameSync(file, `${file}.1`);
  return openSync(file, "a");
}

/**
 * The last lines of a log, for the message that says why a server did not come up.
 * @param {string} file
 */
export function logTail(file) {
  const lines = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  return lines
    .slice(-5)
    .map((line) => `  ${line.slice(0, 400)}`)
    .join("\n");
}
