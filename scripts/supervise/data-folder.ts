// The data folder belongs to one `npm start` at a time.

import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { tryLock } from "../system/lock.js";
import { markIfNew } from "./demo.ts";
import { messageOf } from "../system/message-of.js";

const LOCK_NAME = "lock";

export function openDataFolder(path: string): { dataDir: string; close: () => void } {
  const dataDir = made(path);
  const lock = tryLock(join(dataDir, LOCK_NAME));
  if ("holderPid" in lock) {
    throw new Error(
      `${dataDir} is in use by another npm start, process ${lock.holderPid}. Stop that one, or give this one its own folder: DATA_DIR=<folder> npm start`,
    );
  }
  markIfNew(dataDir, LOCK_NAME);
  return { dataDir, close: lock.release };
}

function made(path: string) {
  try {
    // It contains the database, queued jobs and an API key. An existing folder keeps its mode, because it may be shared
    // on purpose.
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return realpathSync(path);
  } catch (error) {
    throw new Error(`DATA_DIR ${path} cannot be used: ${messageOf(error)}`, { cause: error });
  }
}
