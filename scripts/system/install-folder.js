// Installs a downloaded folder atomically: it is filled in another place, tested, and only then renamed. Later damage
// is detected (by a digest, then by a test), and the folder is downloaded again. The caller holds a lock, so that
// leftovers of earlier attempts can be removed.

import { createHash } from "node:crypto";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";

const DIGEST_FILE = "sha256";

/**
 * @template T
 * @typedef {object} Installation
 * @property {string} dest the folder
 * @property {(dir: string) => string} program the file in it that everything is about
 * @property {(dir: string) => Promise<{ value: T } | { reason: string }>} tryOut
 * @property {(dir: string) => Promise<{ reason: string } | undefined>} fill
 * @property {(line: string) => void} log
 */

/**
 * The folder that was installed earlier, if it is intact.
 * @template T
 * @param {Installation<T>} installation
 * @returns {Promise<{ value: T } | { reason: string }>}
 */
export async function findInstalled({ dest, program, tryOut }) {
  if (!existsSync(dest)) return { reason: "not fetched yet" };
  const digestFile = join(dest, DIGEST_FILE);
  if (!existsSync(program(dest)) || !existsSync(digestFile)) return { reason: "incomplete" };
  if ((await digest(program(dest))) !== readFileSync(digestFile, "utf8")) return { reason: "damaged" };
  return tryOut(dest);
}

/**
 * @template T
 * @param {Installation<T>} installation
 * @returns {Promise<{ value: T } | { reason: string }>}
 */
export async function installFolder(installation) {
  const { dest, program, tryOut, fill, log } = installation;
  const present = await findInstalled(installation);
  if ("value" in present) return present;
  if (existsSync(dest))
    log(`${basename(dest)} in ${dirname(dest)} cannot be used (${present.reason}): it is fetched again`);

  const prefix = `part-${basename(dest)}-`;
  mkdirSync(dirname(dest), { recursive: true });
  for (const name of readdirSync(dirname(dest))) {
    if (name.startsWith(prefix)) rmSync(join(dirname(dest), name), { recursive: true, force: true });
  }
  const part = mkdtempSync(join(dirname(dest), prefix));
  try {
    const failure = await fill(part);
    if (failure) return failure;
    const result = await tryOut(part);
    if ("reason" in result) return result;
    writeFileSync(join(part, DIGEST_FILE), await digest(program(part)));
    rmSync(dest, { recursive: true, force: true });
    renameSync(part, dest);
    return await tryOut(dest);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

/** @param {string} file */
async function digest(file) {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
