// What is installed: by hash, without running anything, and with every package that would like to named in
// docs/explanation/security.md.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { z } from "zod";
import { root } from "../../scripts/paths.js";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const Package = z.object({
  integrity: z.string().optional(),
  hasInstallScript: z.boolean().optional(),
  optional: z.boolean().optional(),
  os: z.array(z.string()).optional(),
  cpu: z.array(z.string()).optional(),
});
const SBOM_BYTES_MAX = 16 * 2 ** 20;
const Bom = z.object({ components: z.array(z.object({ name: z.string() })) });
const Lock = z.object({ packages: z.record(z.string(), Package) });
const packages = Object.entries(Lock.parse(JSON.parse(read("package-lock.json"))).packages).filter(
  ([path]) => path !== "",
);

test("every package is locked by its hash, except builds for single platforms that are not installed", () => {
  expect(packages.length).toBeGreaterThan(100);
  const byName = packages.filter(([, { integrity }]) => integrity === undefined);
  expect(byName.filter(([, { optional, os, cpu }]) => !optional || !(os ?? cpu))).toStrictEqual([]);
  const installed = Object.entries(Lock.parse(JSON.parse(read("node_modules/.package-lock.json"))).packages);
  expect(installed.length).toBeGreaterThan(100);
  expect(installed.filter(([, { integrity }]) => integrity === undefined)).toStrictEqual([]);
  const byHash = packages.filter(([, { integrity }]) => integrity !== undefined);
  expect(byHash.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"))).toStrictEqual([]);
  expect(byHash.length).toBeGreaterThan(2 * byName.length);
});

test("no install script is run, and each package that has one is listed with the consequence", () => {
  expect(read(".npmrc")).toMatch(/^ignore-scripts=true$/m);
  expect(read("scripts/setup/dependencies.js")).toContain('"--ignore-scripts"');
  const named = [...read("docs/explanation/security.md").matchAll(/^\| `([^`]+)` \(of/gm)].map(([, name]) => name);
  const scripted = packages
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.split("node_modules/").at(-1));
  expect(new Set(named)).toStrictEqual(new Set(scripted));
});

test("the list of components contains what the image contains", async () => {
  const args = ["sbom", "--omit", "dev", "--sbom-format", "cyclonedx", "--package-lock-only"];
  const npm = join(root, ".cache/toolchain/node_modules/npm/bin/npm-cli.js");
  const { stdout } = await promisify(execFile)(process.execPath, [npm, ...args], {
    cwd: root,
    maxBuffer: SBOM_BYTES_MAX,
  });
  const { components } = Bom.parse(JSON.parse(stdout));
  expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(["express", "mongodb", "bullmq"]));
  expect(components.map(({ name }) => name)).not.toContain("vitest");
});
