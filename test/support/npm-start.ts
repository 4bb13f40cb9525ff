// A real `npm start` on a temporary folder and free ports. Everything it starts has DATA_DIR in its environment or
// works in that folder. So its processes and folders are found and removed, whatever a test did to them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { sendSignal, stopProcess } from "../../scripts/system/processes.js";
import { unmountAllIn } from "./mounts.ts";
import { root } from "../../scripts/paths.js";
import { tempDir } from "./temp-dir.ts";
import { until } from "./until.ts";

const Answer = z.object({ xp: z.string().optional() });

export type RunFile = {
  baseUrl: string;
  opsUrl: string;
  notifierOpsUrl: string;
  dashboardUrl: string;
  mongoUrl: string;
  redisUrl: string;
  pids: Record<"api" | "worker" | "notifier" | "dashboard" | "mongod" | "redis", number>;
};

/** A data folder whose name is as bad as names get; it is emptied of processes and removed after the test. */
export function dataFolder(): string {
  const { dataDir, remove } = makeDataFolder();
  onTestFinished(remove);
  return dataDir;
}

/** The same for a whole file of tests, which removes it itself. */
export function makeDataFolder(): { dataDir: string; remove(): Promise<void> } {
  const dataDir = join(realpathSync(mkdtempSync(join(tmpdir(), "clanxp-start-"))), "it's data");
  return {
    dataDir,
    async remove() {
      await Promise.all(processesOf(dataDir).map((pid) => stopProcess(pid, 0)));
      unmountAllIn(dataDir);
      rmSync(join(dataDir, ".."), { recursive: true, force: true });
    },
  };
}

/** The Node that npm puts in front is the set-up's own: a newcomer has none of it. */
export const newcomersPath = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((dir) => !/node_modules/.test(dir))
  .join(delimiter);

/** One on which a Redis comes first that starts and never answers: a start waits for it. */
export function pathToSilentRedis(): string {
  const bin = tempDir();
  const script = '#!/bin/sh\n[ "$1" = --version ] && exec echo "Redis server v=7.4.0"\nexec sleep 1000\n';
  writeFileSync(join(bin, "redis-server"), script, { mode: 0o755 });
  return [bin, process.env["PATH"]].join(delimiter);
}

const NPM_START: readonly string[] = ["npm", "start"];
/** The same in a terminal of 80 columns. */
export const IN_TERMINAL = ["script", "-qfec", "stty cols 80; exec npm start", "/dev/null"];

export function npmStart(
  dataDir: string,
  env: Record<string, string | undefined> = {},
  cwd = root,
  [program = "", ...args]: readonly string[] = NPM_START,
) {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, PORT: "0", OPS_PORT: "0", ...env, DATA_DIR: dataDir },
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  const ended = once(child, "close").then(([code]) => Number(code));
  const pid = child.pid ?? 0;
  return {
    output,
    ended,
    signalNpm: (signal: NodeJS.Signals) => process.kill(pid, signal),
    signalGroup: (signal: NodeJS.Signals) => process.kill(-pid, signal),
    /** In a terminal. */
    type: (text: string) => void child.stdin.write(text),
    /** Answers when the first screen is complete, and fails with all it said when that does not come. */
    async ready(): Promise<RunFile> {
      const seen = until(() => /^ready http:\/\/127\.0\.0\.1:\d+$/m.test(output.stdout)).catch(() => "in time");
      const early = ended.then((code) => `but ended with ${code}`);
      const problem = await Promise.race([seen, early]);
      if (typeof problem === "string")
        throw new Error(`npm start did not get ready ${problem}\n${output.stdout}\n${output.stderr}`);
      return readRunFile(dataDir);
    },
  };
}

export function readRunFile(dataDir: string): RunFile {
  return JSON.parse(readFileSync(join(dataDir, "run.json"), "utf8"));
}

/** Every process that `npm start` on this folder has brought about. */
export function processesOf(dataDir: string): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids
    .filter((pid) => environment(pid).includes(`DATA_DIR=${dataDir}`) || workingFolder(pid).startsWith(dataDir))
    .map(Number);
}

/** kill -9, again for what was started meanwhile, until nothing is left. */
export async function killAll(dataDir: string): Promise<void> {
  await until(() => {
    const pids = processesOf(dataDir);
    for (const pid of pids) sendSignal(pid, "SIGKILL");
    return pids.length === 0;
  });
}

/** Redis writes its title over its environment, but it works in its folder. */
function workingFolder(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}

function environment(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return []; // gone meanwhile, or another user's
  }
}

export async function award(
  dataDir: string,
  platformId: string,
  amount: number,
): Promise<{ status: number; xp?: string }> {
  const key = readFileSync(join(dataDir, "demo-key"), "utf8").trim();
  const { baseUrl } = readRunFile(dataDir);
  const response = await fetch(`${baseUrl}/v0/clans/demo/members/${platformId}/xp`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ amount }),
  });
  const { xp } = Answer.parse(await response.json());
  return { status: response.status, ...(xp === undefined ? {} : { xp }) };
}

/** Retries until it is answered: while a server restarts, connections fail or callers receive a retryable error. */
export async function awardWhenServed(
  dataDir: string,
  platformId: string,
  amount: number,
): Promise<string | undefined> {
  let xp: string | undefined;
  await until(async () => {
    const answer = await award(dataDir, platformId, amount).catch(() => undefined);
    if (answer?.status === 200) xp = answer.xp;
    return answer?.status === 200;
  });
  return xp;
}

export function fileIn(dataDir: string, name: string): boolean {
  return existsSync(join(dataDir, name));
}

/** Until the test ends. */
export async function takenPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await until(() => server.address());
  const address = server.address();
  return address !== null && typeof address === "object" ? address.port : 0;
}
