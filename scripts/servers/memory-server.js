// mongod as MongoDB publishes it for this very system, chosen and downloaded by the npm package mongodb-memory-server.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../system/run.js";
import { download } from "./download.js";

const PACKAGE = "mongodb-memory-server-core@11.3.0";
const INSTALL_TIMEOUT_MS = 3 * 60_000;
const DOWNLOAD_TIMEOUT_MS = 10 * 60_000;
// Firewalls drop packets without a word: a download that has not grown for so long is cut off.
const STALLED_MS = 10_000;

/** @returns {import("./find-server.js").Provider} */
export function memoryServer() {
  return download({
    title: "mongodb-memory-server",
    from: `MongoDB's own download (by ${PACKAGE})`,
    folder: "mongodb-memory-server",
    program: (dir) => join(dir, "mongod"),
    async fill(dir, { node }) {
      const work = join(dir, "work");
      const binaries = join(dir, "binaries");
      mkdirSync(work);
      mkdirSync(binaries);
      try {
        const failure = await fetchMongod({ node, work, binaries });
        if (failure) return failure;
        const name = readdirSync(binaries).find((file) => file.startsWith("mongod"));
        if (!name) return { reason: "the download left no mongod" };
        renameSync(join(binaries, name), join(dir, "mongod"));
        return undefined;
      } finally {
        rmSync(work, { recursive: true, force: true });
        rmSync(binaries, { recursive: true, force: true });
      }
    },
  });
}

/**
 * @param {{ node: string, work: string, binaries: string }} options
 * @returns {Promise<{ reason: string } | undefined>}
 */
async function fetchMongod({ node, work, binaries }) {
  const install = [
    "install",
    "--prefix",
    work,
    "--ignore-scripts",
    "--no-save",
    "--no-audit",
    "--no-fund",
    "--engine-strict=false",
    PACKAGE,
  ];
  const installed = await run("npm", install, { cwd: work, timeoutMs: INSTALL_TIMEOUT_MS });
  if (!installed.ok) return { reason: installed.reason };
  const script = join(work, "fetch.mjs");
  writeFileSync(
    script,
    `import { MongoBinary } from "mongodb-memory-server-core";
     await MongoBinary.getPath({ downloadDir: process.argv[2] }).catch((error) => {
       console.error("Error: " + error.message.replaceAll("\\n", " "));
       process.exitCode = 1;
     });`,
  );
  const ended = await run(node, [script, binaries], {
    cwd: work,
    env: { MONGOMS_PREFER_GLOBAL_PATH: "false" },
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
    watch: (cutOff) => watchGrowth(binaries, () => cutOff(`nothing came for ${STALLED_MS / 1000} s`)),
  });
  return ended.ok ? undefined : { reason: ended.reason };
}

/**
 * @param {string} dir
 * @param {() => void} stalled
 */
function watchGrowth(dir, stalled) {
  let bytesBefore = 0;
  const timer = setInterval(() => {
    const bytes = bytesIn(dir);
    if (bytes === bytesBefore) stalled();
    bytesBefore = bytes;
  }, STALLED_MS);
  return () => clearInterval(timer);
}

/** @param {string} dir */
function bytesIn(dir) {
  const sizes = readdirSync(dir).map((file) => (existsSync(join(dir, file)) ? statSync(join(dir, file)).size : 0));
  return sizes.reduce((sum, size) => sum + size, 0);
}
