// The list of the service's components (CycloneDX), from its lockfile. npm gives it a random number and the present
// time; those of the commit replace them, so that the list of a tag always has the same bytes.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Part } from "../part.ts";
import { npmEnv } from "../run-npm.ts";

const ARGS = ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx", "--sbom-type", "application"];
/** A component takes less than 1 KiB. */
const OUTPUT_MAX_BYTES = 32 * 1024 * 1024;

export const sbom: Part = {
  of: "service",
  async make({ source, out, versions, commit, committedAt, npmCli }) {
    const list = await listComponents(source, npmCli);
    list.serialNumber = `urn:uuid:${uuidOf(commit)}`;
    // npm takes the name of the folder.
    list.metadata.component.name = "clanxp";
    list.metadata.timestamp = new Date(committedAt * 1_000).toISOString();
    const file = `clanxp-${versions.service}.cdx.json`;
    writeFileSync(join(out, file), `${JSON.stringify(list, null, 2)}\n`);
    return { files: [file] };
  },
};

/** From a copy of the lockfile without what is for development: npm's `--omit dev` also omits what both need. */
export async function listComponents(source: string, npmCli: string) {
  const folder = mkdtempSync(join(tmpdir(), "clanxp-sbom-"));
  try {
    const { devDependencies: _tools, ...service } = readJson(join(source, "package.json"));
    const lock = readJson(join(source, "package-lock.json"));
    writeFileSync(join(folder, "package.json"), JSON.stringify(service));
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ ...lock, packages: installed(lock.packages) }));
    const options = { cwd: folder, env: { ...process.env, ...npmEnv }, maxBuffer: OUTPUT_MAX_BYTES };
    return JSON.parse((await promisify(execFile)(process.execPath, [npmCli, ...ARGS], options)).stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readJson(path: string) {
  return JSON.parse(readFileSync(path, "utf8"));
}

type Packages = Record<string, { dev?: true; devDependencies?: object }>;

/** With the service's dependencies alone; "" is the service itself. */
function installed(packages: Packages): Packages {
  const { "": { devDependencies: _tools, ...service } = {}, ...others } = packages;
  return { "": service, ...Object.fromEntries(Object.entries(others).filter(([, { dev }]) => !dev)) };
}

/** A UUID of version 8, whose content is free. */
function uuidOf(text: string) {
  const hex = createHash("sha256").update(text).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}
