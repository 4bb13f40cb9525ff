// Runs a server in a container like any other program: `docker run` in the foreground. The data folder and the port are
// the same inside and outside, so that paths and the replica set's member name are valid on both sides. The servers
// have no passwords: the containers of one data folder share a dedicated network without other containers, and are
// reachable only through this machine's loopback address.

import { createHash } from "node:crypto";
import { basename } from "node:path";
import { run } from "../system/run.js";

const DOCKER_TIMEOUT_MS = 5_000; // a stop has 15 s for everything

function nameOf(dataDir: string) {
  return createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
}

function networkOf(dataDir: string) {
  return `clanxp-${nameOf(dataDir)}`;
}

/** Its name, and the arguments for docker before the program's own. */
export function inContainer({
  program,
  image,
  dataDir,
  port,
}: {
  program: string;
  image: string;
  dataDir: string;
  port: number;
}): { container: string; args: string[] } {
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

/** Whether the server of this data folder runs in it: a copy of the folder also contains the note of the original. */
export function isOf(container: string, dataDir: string) {
  return container.endsWith(`-${nameOf(dataDir)}`);
}

/** The network that the servers of a data folder share; the other server may have created it already. */
export async function makeNetwork(dataDir: string) {
  const made = await run("docker", ["network", "create", networkOf(dataDir)], { timeoutMs: DOCKER_TIMEOUT_MS });
  if (!made.ok && !made.output.includes("already exists"))
    throw new Error(`Docker could not create a network for the servers: ${made.reason}`);
}

/** Docker does not remove it while a container uses it, so it is removed with the last one. */
export async function removeNetwork(dataDir: string) {
  await run("docker", ["network", "rm", networkOf(dataDir)], { timeoutMs: DOCKER_TIMEOUT_MS });
}

/** If the docker client is killed, its container continues to run and to use the port. */
export async function removeContainer(container: string | undefined) {
  if (container) await run("docker", ["rm", "--force", container], { timeoutMs: DOCKER_TIMEOUT_MS });
}
