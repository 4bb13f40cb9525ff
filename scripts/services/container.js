// A server in a container is run like any other program: `docker run` in the foreground, the data folder and the port
// at the same place inside and outside, so that paths and the replica set's member name are true on both sides. The
// servers have no passwords: the containers of one data folder are on a network of their own, which no other container
// is on, and only this machine's loopback address leads to them.

import { createHash } from "node:crypto";
import { basename } from "node:path";
import { run } from "../system/run.js";

const DOCKER_TIMEOUT_MS = 5_000; // a stop has 15 s for everything

/** @param {string} dataDir */
function nameOf(dataDir) {
  return createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
}

/** @param {string} dataDir */
function networkOf(dataDir) {
  return `clanxp-${nameOf(dataDir)}`;
}

/**
 * @param {{ program: string, image: string, dataDir: string, port: number }} options
 * @returns {{ container: string, args: string[] }} its name, and what docker is called with before the program's own arguments
 */
export function inContainer({ program, image, dataDir, port }) {
  const container = `clanxp-${basename(program)}-${nameOf(dataDir)}`;
  const user = process.getuid ? ["--user", `${process.getuid()}:${process.getgid?.()}`] : [];
  const args = [
    ["run", "--rm", "--name", container, "--network", networkOf(dataDir), ...user],
    ["--mount", `type=bind,"source=${dataDir}","target=${dataDir}"`],
    ["--publish", `127.0.0.1:${port}:${port}`],
    ["--entrypoint", program, image],
  ];
  return { container, args: args.flat() };
}

/**
 * Whether this data folder's own server runs in it: a copy of the folder also has the note of the original's.
 * @param {string} container
 * @param {string} dataDir
 */
export function isOf(container, dataDir) {
  return container.endsWith(`-${nameOf(dataDir)}`);
}

/**
 * The network that the servers of a data folder share. One that is there already, also by the other server, will do.
 * @param {string} dataDir
 */
export async function makeNetwork(dataDir) {
  const made = await run("docker", ["network", "create", networkOf(dataDir)], { timeoutMs: DOCKER_TIMEOUT_MS });
  if (!made.ok && !made.output.includes("already exists"))
    throw new Error(`Docker made no network for the servers: ${made.reason}`);
}

/**
 * Docker keeps it while a container is on it: it goes with the last one.
 * @param {string} dataDir
 */
export async function removeNetwork(dataDir) {
  await run("docker", ["network", "rm", networkOf(dataDir)], { timeoutMs: DOCKER_TIMEOUT_MS });
}

/**
 * A docker client that is killed leaves its container running, and on the port.
 * @param {string | undefined} container
 */
export async function removeContainer(container) {
  if (container) await run("docker", ["rm", "--force", container], { timeoutMs: DOCKER_TIMEOUT_MS });
}
