// Installs everything that a fresh clone lacks: Node 24 and node_modules. Fast if they are installed, and safe if two
// commands run it concurrently.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "../system/lock.js";
import { messageOf } from "../system/message-of.js";
import { timed } from "../system/progress.js";
import { run } from "../system/run.js";
import { installDependencies, installPackages, isInstalled } from "./dependencies.js";
import { fetchNpm, findToolchain } from "./toolchain.js";

/**
 * `meanwhile`: a script that runs while the packages are installed, if they are missing.
 * @param {{ root: string, cacheDir: string, log: (line: string) => void, meanwhile?: string | undefined }} options
 * @returns {Promise<{ node: string }>} the program that runs everything else
 */
export async function setUp({ root, cacheDir, log, meanwhile }) {
  return withLock(join(cacheDir, "set-up.lock"), log, async () => {
    const isFirst = !isInstalled(root);
    const finding = findToolchain({ cacheDir, log });
    const fetching = finding.then(async ({ node }) => {
      if (meanwhile === undefined || !isFirst) return;
      await timed(log, `${meanwhile} meanwhile`, run(node, [join(root, meanwhile)]));
    });
    fetching.catch(() => {}); // reported by the one that it waits for
    if (isFirst) await installOnThisNode({ root, cacheDir, log });
    const toolchain = await finding;
    await installDependencies({ root, cacheDir, toolchain, log });
    await fetching;
    return { node: toolchain.node };
  });
}

/**
 * Installs the packages while Node 24 is fetched. If this fails, they are installed on Node 24.
 * @param {{ root: string, cacheDir: string, log: (line: string) => void }} options
 */
async function installOnThisNode({ root, cacheDir, log }) {
  const dir = join(cacheDir, "part-npm");
  try {
    mkdirSync(dir, { recursive: true });
    const npm = await fetchNpm(dir, log);
    if (npm !== undefined) await installPackages({ root, cacheDir, npm: [process.execPath, npm], log });
  } catch (error) {
    log(messageOf(error));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
