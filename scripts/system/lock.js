// A lock file that becomes invalid with its holder: it contains a pid and the start time of that process, so a file
// that remains after a kill -9 or a power failure has no holder. At most one running process holds a given file.

import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startTimeOf } from "./processes.js";

const POLL_MS = 100;

/** @typedef {{ release: () => void } | { holderPid: number }} LockAnswer */

/**
 * @param {string} path
 * @returns {LockAnswer}
 */
export function tryLock(path) {
  mkdirSync(dirname(path), { recursive: true });
  const own = JSON.stringify({ pid: process.pid, startTime: startTimeOf(process.pid) });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, own);
  try {
    for (;;) {
      if (linked(draft, path)) return { release: () => releaseIfOwn(path, own) };
      const content = read(path);
      const holderPid = liveHolder(content);
      if (holderPid !== undefined) return { holderPid };
      removeStale(path, content);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Waits for the lock as long as its holder runs.
 * @template T
 * @param {string} path
 * @param {(line: string) => void} log
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, log, work) {
  let answer = tryLock(path);
  if ("holderPid" in answer) log(`waiting for process ${answer.holderPid}, which is doing the same`);
  while ("holderPid" in answer) {
    await sleep(POLL_MS);
    answer = tryLock(path);
  }
  try {
    return await work();
  } finally {
    answer.release();
  }
}

/**
 * A hard link is created atomically with its content, so nobody can read an incomplete lock file.
 * @param {string} draft
 * @param {string} path
 */
function linked(draft, path) {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** @param {string} content */
function liveHolder(content) {
  try {
    const { pid, startTime } = JSON.parse(content);
    return startTimeOf(pid) === startTime ? Number(pid) : undefined;
  } catch {
    return undefined; // empty or incomplete after a power failure
  }
}

/**
 * Between the read and the rename, another process may have removed the stale file and taken the lock. Then its lock
 * was renamed, and is restored.
 * @param {string} path
 * @param {string} stale
 */
function removeStale(path, stale) {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return; // removed by another process, or released
    throw error;
  }
  if (read(aside) !== stale) linked(aside, path);
  rmSync(aside, { force: true });
}

/**
 * @param {string} path
 * @param {string} own
 */
function releaseIfOwn(path, own) {
  if (read(path) === own) rmSync(path, { force: true });
}

/** @param {unknown} error */
function codeOf(error) {
  return /** @type {NodeJS.ErrnoException} */ (error).code;
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
