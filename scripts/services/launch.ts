// Starts one server program for a data folder, in the foreground and in a separate process group, so that Ctrl-C in a
// terminal does not stop it before API and worker have drained. Its output goes into a log file of bounded size.

import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { privateFolder } from "../system/private-files.ts";
import { watchChild, type Running } from "../system/watch-child.ts";
import { inContainer, makeNetwork, removeContainer, removeNetwork } from "./container.ts";
import type { Server } from "../servers/find-server.ts";

const LOG_BYTES_MAX = 10 * 1024 * 1024;
const TAIL_LINES = 5;
const TAIL_LINE_CHARS = 400;

export type Launched = Running & { container?: string };

export async function launch({
  server,
  args,
  dataDir,
  port,
  logFile,
}: {
  server: Server;
  args: string[];
  dataDir: string;
  port: number;
  logFile: string;
}): Promise<Launched> {
  const { command: program, image, env } = server;
  if (!image) return spawnIntoLog(program, args, { env, logFile });

  const { container, args: dockerArgs } = inContainer({ program, image, dataDir, port });
  await removeContainer(container);
  await makeNetwork(dataDir);
  const client = spawnIntoLog("docker", [...dockerArgs, ...args], { env, logFile });
  const stop = async (graceMs: number) => {
    await client.stop(graceMs);
    await removeContainer(container);
    await removeNetwork(dataDir);
  };
  return { ...client, stop, container };
}

function spawnIntoLog(
  command: string,
  args: string[],
  { env, logFile }: { env: Record<string, string> | undefined; logFile: string },
) {
  privateFolder(dirname(logFile));
  if (existsSync(logFile) && statSync(logFile).size > LOG_BYTES_MAX) renameSync(logFile, `${logFile}.1`);
  const log = openSync(logFile, "a", 0o600);
  const child = spawn(command, args, { detached: true, stdio: ["ignore", log, log], env: { ...process.env, ...env } });
  closeSync(log);
  return watchChild(child);
}

/** The last lines of a log, for the error message of a server that did not start. */
export function logTail(file: string) {
  const lines = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  return lines
    .slice(-TAIL_LINES)
    .map((line) => `  ${line.slice(0, TAIL_LINE_CHARS)}`)
    .join("\n");
}
