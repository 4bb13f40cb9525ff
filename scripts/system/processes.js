// Identifies processes by pid and start time together, because pids are reused, after a power failure even immediately.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * The start time of this process, as a text that no other process with the same pid has; undefined if there is no such
 * process.
 * @param {number} pid
 * @returns {string | undefined}
 */
export function startTimeOf(pid) {
  try {
    if (process.platform !== "linux") return startTimeByPs(pid);
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold anything; after it come the state and, 19 fields on, the start in clock ticks.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return undefined; // exited, but not yet collected by its parent
    const bootId = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${bootId}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function startTimeByPs(pid) {
  return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
}

/**
 * Requests a process to exit, and kills it if it does not.
 * @param {number} pid
 * @param {number} graceMs
 */
export async function stopProcess(pid, graceMs) {
  const startTime = startTimeOf(pid);
  const lives = () => startTime !== undefined && startTimeOf(pid) === startTime;
  const deadline = performance.now() + graceMs;
  sendSignal(pid, "SIGTERM");
  while (lives() && performance.now() < deadline) await sleep(20);
  while (lives()) {
    sendSignal(pid, "SIGKILL");
    await sleep(20);
  }
}

/**
 * @param {number} pid negative: the process group
 * @param {NodeJS.Signals} signal
 */
export function sendSignal(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has already exited.
  }
}
