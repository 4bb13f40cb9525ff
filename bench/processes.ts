// The processes of a bench: started with what each needs in its environment, watched, and what they use of CPU and
// memory.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { PRETENURING_OFF } from "#process/garbage-collection.ts";
import { messageOf } from "../scripts/system/message-of.js";

const STARTS_WITHIN_MS = 30_000;
const STOPS_WITHIN_MS = 10_000;
/** Linux has counted in these since long before it could be asked. */
const TICKS_PER_S = 100;

const root = fileURLToPath(new URL("../", import.meta.url));
const endWithParent = new URL("./load/end-with-parent.ts", import.meta.url).href;

export type Started = { child: ChildProcess; pid: number; stop(): Promise<void> };

/**
 * Starts a file of this repository in another Node process, in production mode as in a deployment. `options`: those of
 * Node. `folder`: of another clone.
 */
export function startNode(
  file: string,
  env: Record<string, string>,
  options: readonly string[] = [],
  folder = root,
): Started {
  const child = fork(join(folder, file), {
    cwd: folder,
    env: { ...process.env, NODE_ENV: "production", ...env },
    // API and worker set it for themselves: no reference is to lack it.
    execArgv: [...options, PRETENURING_OFF, "--import", endWithParent],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return {
    child,
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), STOPS_WITHIN_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Resolves when the process listens on the port. */
export async function untilListening({ child }: Started, port: number): Promise<void> {
  const deadline = performance.now() + STARTS_WITHIN_MS;
  for (;;) {
    const fault = await connectFault(port);
    if (fault === null) return;
    if (child.exitCode !== null)
      throw new Error(`${child.spawnargs.at(-1)} ended with ${child.exitCode} before it listened`);
    if (performance.now() > deadline) throw new Error(`${child.spawnargs.at(-1)} does not listen: ${fault}`);
    await pause(20);
  }
}

function connectFault(port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    socket.once("connect", () => (socket.destroy(), resolve(null)));
    socket.once("error", (error) => resolve(messageOf(error)));
  });
}

/** CPU that a process has used so far, with its living children's, in µs. 0 if the system does not report it. */
export function cpuUsOf(pid: number, { withChildren = false } = {}): number {
  const pids = withChildren ? [pid, ...childrenOf(pid)] : [pid];
  return pids.reduce((sum, one) => {
    const fields = statOf(one);
    return sum + ((Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_S) * 1_000_000;
  }, 0);
}

/** Memory that a process holds, in bytes. */
export function rssOf(pid: number): number {
  try {
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kib ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => Number(statOf(one)[1]) === pid);
}

/** The fields after the name, which may hold anything: state, parent, … , user and system time at 11 and 12. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}
