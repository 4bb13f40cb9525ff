// A lock file that dies with its holder: it names a pid and that process's start time, so what a kill -9 or a power cut
// left behind is seen to be nobody's. At most one live process holds a given file.

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
 * Waits for the lock as long as its holder lives.
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
 * A hard link appears with its content or not at all: nobody can read a lock file that names no one yet.
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
    return undefined; // empty or torn: written by a machine that lost power
  }
}

/**
 * Another process may have removed the stale file and locked between our read and our rename: then what we took away is
 * its live lock, and it is put back.
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
