// A server in a container is run like any other program: `docker run` in the foreground, the data folder and the port at the same
// place inside and outside, so that paths and the replica set's member name are true on both sides.

import { createHash } from "node:crypto";
import { basename } from "node:path";
import { run } from "../system/run.js";

const DOCKER_TIMEOUT_MS = 5_000; // a stop has 15 s for everything

/**
 * @param {{ program: string, image: string, dataDir: string, port: number }} options
 * @returns {{ container: string, args: string[] }} its name, and what docker is called with before the program's own arguments
 */
export function inContainer({ program, image, dataDir, port }) {
  const container = `clanxp-${basename(program)}-${createHash("sha256").update(dataDir).digest("hex").slice(0, 12)}`;
  const user = process.getuid ? ["--user", `${process.getuid()}:${process.getgid?.()}`] : [];
  const args = [
    ["run", "--rm", "--name", container, ...user],
    ["--mount", `type=bind,"source=${dataDir}","target=${dataDir}"`],
    ["--publish", `127.0.0.1:${port}:${port}`],
    ["--entrypoint", program, image],
  ];
  return { container, args: args.flat() };
}

/**
 * A docker client that is killed leaves its container running, and on the port.
 * @param {string | undefined} container
 */
export async function removeContainer(container) {
  if (container) await run("docker", ["rm", "--force", container], { timeoutMs: DOCKER_TIMEOUT_MS });
}
