// mongod as MongoDB publishes it for this system, selected and downloaded by the npm package
// mongodb-memory-server-core.

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { lookup } from "node:dns/promises";
import { join } from "node:path";
import { root } from "../paths.js";
import { messageOf } from "../system/message-of.js";
import { run } from "../system/run.js";
import { download } from "./download.ts";
import type { Provider } from "./find-server.ts";

const DOWNLOAD_TIMEOUT_MS = 10 * 60_000;
const HOST = "fastdl.mongodb.org";
// Firewalls may drop packets silently: a download that has not grown for this long is aborted.
const STALLED_MS = 10_000;

export function memoryServer(): Provider {
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return download({
    title: "mongodb-memory-server",
    from: `MongoDB's own download (by mongodb-memory-server-core@${devDependencies["mongodb-memory-server-core"]})`,
    folder: "mongodb-memory-server",
    program: (dir) => join(dir, "mongod"),
    async fill(dir) {
      const fault = await nameFault();
      if (fault !== undefined) return { reason: fault };
      const binaries = join(dir, "binaries");
      mkdirSync(binaries);
      try {
        const args = [join(root, "scripts", "servers", "fetch-mongod.ts"), binaries, join(dir, "mongod")];
        const ended = await run(process.execPath, args, {
          timeoutMs: DOWNLOAD_TIMEOUT_MS,
          watch: (cutOff) => watchGrowth(binaries, () => cutOff(`no data arrived for ${STALLED_MS / 1000} s`)),
        });
        return ended.ok ? undefined : { reason: ended.reason };
      } finally {
        rmSync(binaries, { recursive: true, force: true });
      }
    },
  });
}

/** Firewalls also hide names: then the package, which takes seconds to load and tries several times, is not asked. */
async function nameFault(): Promise<string | undefined> {
  const isElsewhere = Object.keys(process.env).some((name) => /^MONGOMS_|_proxy$/i.test(name));
  if (isElsewhere) return undefined;
  return lookup(HOST).then(() => undefined, messageOf);
}

function watchGrowth(dir: string, stalled: () => void) {
  let bytesBefore = 0;
  const timer = setInterval(() => {
    const bytes = bytesIn(dir);
    if (bytes === bytesBefore) stalled();
    bytesBefore = bytes;
  }, STALLED_MS);
  return () => clearInterval(timer);
}

function bytesIn(dir: string) {
  const sizes = readdirSync(dir).map((file) => (existsSync(join(dir, file)) ? statSync(join(dir, file)).size : 0));
  return sizes.reduce((sum, size) => sum + size, 0);
}
