// Installs everything that a fresh clone lacks: Node 24 and node_modules. Fast if they are installed, and safe if two
// commands run it concurrently.

import { join } from "node:path";
import { withLock } from "../system/lock.js";
import { installDependencies } from "./dependencies.js";
import { findToolchain } from "./toolchain.js";

/**
 * @param {{ root: string, cacheDir: string, log: (line: string) => void }} options
 * @returns {Promise<{ node: string }>} the program that runs everything else
 */
export async function setUp({ root, cacheDir, log }) {
  return withLock(join(cacheDir, "set-up.lock"), log, async () => {
    const toolchain = await findToolchain({ cacheDir, log });
    await installDependencies({ root, cacheDir, toolchain, log });
    return { node: toolchain.node };
  });
}
