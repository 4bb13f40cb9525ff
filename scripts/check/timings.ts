// `npm test -- --timings`: where the time goes, by processor time, which a busy machine changes less than durations.
// The tests write a line for each file (test/support/timings.ts), and the servers of a run one when it ends.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** `others`: CPU seconds of processes that the file started, which ended before it. */
export type Timing = { file: string; project: string; wall: number; own: number; others: number };

const TICKS_PER_SECOND = 100;
const SLOWEST = 30;

/** CPU seconds of a process, and of its children that have ended (with theirs). */
export function cpuOf(pid: number): { own: number; ended: number } {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name, in parentheses, may contain spaces.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
  return { own: (user + system) / TICKS_PER_SECOND, ended: (endedUser + endedSystem) / TICKS_PER_SECOND };
}

/** Prints them after `run` if `--timings` is among the arguments, which it does not get. */
export async function withTimings<T>(args: string[], run: (args: string[]) => Promise<T>): Promise<T> {
  if (!args.includes("--timings")) return run(args);
  const folder = mkdtempSync(join(tmpdir(), "clanxp-timings-"));
  const file = join(folder, "timings.jsonl");
  process.env["TEST_TIMINGS"] = file;
  try {
    const result = await run(args.filter((arg) => arg !== "--timings"));
    console.log(tableOfTimings(readFileSync(file, "utf8")));
    return result;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** By folder, and the files with the most CPU time. */
function tableOfTimings(lines: string): string {
  const timings: Timing[] = lines
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const folders = Map.groupBy(timings, ({ file }) => file.split("/").slice(0, -1).slice(0, 3).join("/"));
  const sums = [...folders].map(([file, of]) => ({ file, project: `${of.length} files`, ...sumOf(of) }));
  const slowest = timings.toSorted((a, b) => b.own + b.others - a.own - a.others).slice(0, SLOWEST);
  return [
    "   CPU  of it in other processes  duration",
    ...sums.toSorted((a, b) => b.own + b.others - a.own - a.others).map(rowOf),
    rowOf({ file: "all", project: `${timings.length} files`, ...sumOf(timings) }),
    "",
    ...slowest.map(rowOf),
  ].join("\n");
}

function sumOf(timings: Timing[]) {
  const sum = (of: (timing: Timing) => number) => timings.reduce((total, timing) => total + of(timing), 0);
  return { wall: sum(({ wall }) => wall), own: sum(({ own }) => own), others: sum(({ others }) => others) };
}

function rowOf({ file, project, wall, own, others }: Timing) {
  const columns = [own + others, others, wall].map((seconds) => seconds.toFixed(1).padStart(8));
  return `${columns.join("")}  ${file} ${project}`;
}
