// The data folder belongs to one `npm start` at a time.

import { existsSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { tryLock } from "../system/lock.js";
import { markIfNew } from "./demo.ts";
import { messageOf } from "../system/message-of.js";

const LOCK_NAME = "lock";

export function openDataFolder(path: string): { dataDir: string; close: () => void } {
  const { dataDir, lock } = madeAndLocked(path);
  if ("holderPid" in lock) {
    throw new Error(
      `${dataDir} is in use by another npm start, process ${lock.holderPid}. Stop that one, or give this one its own folder: DATA_DIR=<folder> npm start`,
    );
  }
  markIfNew(dataDir, LOCK_NAME);
  return { dataDir, close: lock.release };
}

function madeAndLocked(path: string) {
  try {
    makeFolder(path);
    const dataDir = realpathSync(path);
    return { dataDir, lock: tryLock(join(dataDir, LOCK_NAME)) };
  } catch (error) {
    throw new Error(`DATA_DIR ${path} cannot be used: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Not with `recursive`: in a folder such as /proc, which takes no folders, Node 24 would try forever. It contains the
 * database, queued jobs and an API key. An existing folder keeps its mode, because it may be shared on purpose.
 */
function makeFolder(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (existsSync(path) && statSync(path).isDirectory()) return;
    throw new Error(`no folder can be created in ${parent}: ${messageOf(error)}`, { cause: error });
  }
}
