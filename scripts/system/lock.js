// A lock file that becomes invalid with its holder: it contains a pid and the start time of that process, so a file
// that remains after a kill -9 or a power failure has no holder. At most one running process holds a given file.

import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
      const holderPid = liveHolder(read(path)) ?? removeAbandoned(path);
      if (holderPid !== undefined) return { holderPid };
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

/** @param {string | undefined} content */
function liveHolder(content) {
  try {
    const { pid, startTime } = JSON.parse(content ?? "");
    return startTimeOf(pid) === startTime ? Number(pid) : undefined;
  } catch {
    return undefined; // empty or incomplete after a power failure
  }
}

/**
 * A file is removed by its path, whatever that path names by then: two processes that find the same abandoned file
 * could remove it and the lock of the next holder. So only the holder of a second lock removes it, which may be
 * abandoned too and is then taken in the same way. The second read is after the holder's end: a holder that released
 * the file and exited after the first one has left nothing to remove.
 * @param {string} path
 * @returns {number | undefined} the process that is removing it, or its new holder
 */
function removeAbandoned(path) {
  const removal = tryLock(`${path}.removal`);
  if ("holderPid" in removal) return removal.holderPid;
  try {
    const content = read(path);
    const holderPid = liveHolder(content);
    if (holderPid === undefined && content !== undefined && read(path) === content) rmSync(path, { force: true });
    return holderPid;
  } finally {
    removal.release();
  }
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

/**
 * @param {string} path
 * @returns {string | undefined} undefined: there is no such file
 */
function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
