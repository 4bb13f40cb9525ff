// What an installation costs while nobody uses it: `npm start` with 10 clans that have boards, destinations and 10,000
// members, two minutes after their import. CPU of one core, and memory with shared pages counted once (PSS).
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { VoidRun } from "./void-run.ts";
import type { Sizes } from "./size-names.ts";

const CLANS = 10;
const MEMBERS_OF_CLAN = 1_000;
const QUIET_MS = 120_000;
const MEASURED_MS = 60_000;
const root = fileURLToPath(new URL("../", import.meta.url));
const call = promisify(execFile);

type Output = { log: (line: string) => void; progress: (now: string) => void };
type Used = { name: string; cpuNs: number; pssMib: number };

/** Linux only. Throws VoidRun if it does not start. */
export async function measureIdle({ log, progress }: Output): Promise<Sizes> {
  const folder = mkdtempSync(join(tmpdir(), "clanxp-idle-"));
  const env = { ...process.env, DATA_DIR: join(folder, "data"), PORT: "0", OPS_PORT: "0", DASHBOARD_PORT: "0" };
  const started = spawn("npm", ["start"], { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(started, "close");
  try {
    progress("idle: starting");
    await Promise.race([untilReady(started.stdout), ended.then(() => Promise.reject(new VoidRun("idle: no start")))]);
    await fill(folder, env, progress);
    progress(`idle: waiting ${QUIET_MS / 1_000} s`);
    await pause(QUIET_MS);
    const before = usedBy(started.pid ?? 0);
    await pause(MEASURED_MS);
    const after = usedBy(started.pid ?? 0);
    const rows = [...after].map(([pid, { name, cpuNs, pssMib }]) => {
      const percent = ((cpuNs - (before.get(pid)?.cpuNs ?? cpuNs)) / (MEASURED_MS * 1e6)) * 100;
      log(`idle: ${name.padEnd(12)}${percent.toFixed(2).padStart(6)} % of a core${pssMib.toFixed(0).padStart(6)} MiB`);
      return { percent, pssMib };
    });
    const sum = (of: "percent" | "pssMib"): number => rows.reduce((total, row) => total + row[of], 0);
    return { idlePercent: sum("percent"), idleMib: sum("pssMib") };
  } finally {
    started.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function untilReady(stdout: NodeJS.ReadableStream): Promise<void> {
  let text = "";
  for await (const part of stdout) if (/^ready /m.test((text += String(part)))) break;
  stdout.resume();
}

async function fill(folder: string, env: NodeJS.ProcessEnv, progress: Output["progress"]): Promise<void> {
  const clanxp = (...args: string[]): Promise<unknown> =>
    call(process.execPath, [join(root, "scripts", "clanxp.js"), ...args], { cwd: root, env });
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const url = file("url", "https://example.com/hook\n");
  const lines = Array.from({ length: MEMBERS_OF_CLAN }, (_, index) => `player-${index},${index * 7}`);
  const members = file("members.csv", ["platformId,xp", ...lines].join("\n"));
  for (let clan = 0; clan < CLANS; clan += 1) {
    progress(`idle: filling clan ${clan}`);
    const clanId = `idle-${clan}`;
    await clanxp("clan", "create", clanId, "--auto");
    await clanxp("import", clanId, members);
    await clanxp("board", "set", clanId, "weekly", "--every", "week");
    await clanxp("destination", "add", clanId, "--kind", "webhook", "--name", "site", "--url-file", url);
  }
}

/** Of a process and its descendants. */
function usedBy(first: number): Map<number, Used> {
  const tree = new Set([first]);
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const parents = new Map(pids.map((pid) => [Number(pid), parentOf(pid)]));
  for (let size = 0; size < tree.size;) {
    size = tree.size;
    for (const [pid, parent] of parents) if (tree.has(parent)) tree.add(pid);
  }
  return new Map([...tree].map((pid) => [pid, { name: nameOf(pid), cpuNs: cpuNsOf(pid), pssMib: pssMibOf(pid) }]));
}

function parentOf(pid: string): number {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]);
  } catch {
    return 0;
  }
}

function nameOf(pid: number): string {
  const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  return /apps\/(\w+)\/main|(mongod|redis-server|npm|start\.js)/.exec(line)?.slice(1).find(Boolean) ?? String(pid);
}

/** Finer than /proc/<pid>/stat, which counts in hundredths of a second. */
function cpuNsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const of = (thread: string): number =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  return threads.reduce((sum, thread) => sum + of(thread), 0);
}

function pssMibOf(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]) / 1_024;
}
