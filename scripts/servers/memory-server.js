// mongod as MongoDB publishes it for this very system, chosen and downloaded by the npm package
// mongodb-memory-server-core.

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "../paths.js";
import { run } from "../system/run.js";
import { download } from "./download.js";

const DOWNLOAD_TIMEOUT_MS = 10 * 60_000;
// Firewalls drop packets without a word: a download that has not grown for so long is cut off.
const STALLED_MS = 10_000;

/** @returns {import("./find-server.js").Provider} */
export function memoryServer() {
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return download({
    title: "mongodb-memory-server",
    from: `MongoDB's own download (by mongodb-memory-server-core@${devDependencies["mongodb-memory-server-core"]})`,
    folder: "mongodb-memory-server",
    program: (dir) => join(dir, "mongod"),
    async fill(dir, { node }) {
      const binaries = join(dir, "binaries");
      mkdirSync(binaries);
      try {
        const args = [join(root, "scripts", "servers", "fetch-mongod.js"), binaries, join(dir, "mongod")];
        const ended = await run(node, args, {
          timeoutMs: DOWNLOAD_TIMEOUT_MS,
          watch: (cutOff) => watchGrowth(binaries, () => cutOff(`nothing came for ${STALLED_MS / 1000} s`)),
        });
        return ended.ok ? undefined : { reason: ended.reason };
      } finally {
        rmSync(binaries, { recursive: true, force: true });
      }
    },
  });
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
