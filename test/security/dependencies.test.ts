// What is installed: by hash, without running anything, and with every package that would like to named in
// docs/explanation/security.md.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { root } from "../../scripts/paths.js";
import { listComponents } from "../../scripts/release/parts/sbom.ts";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const Package = z.object({
  integrity: z.string().optional(),
  hasInstallScript: z.boolean().optional(),
  optional: z.boolean().optional(),
  dev: z.boolean().optional(),
  os: z.array(z.string()).optional(),
  cpu: z.array(z.string()).optional(),
});
const Bom = z.object({ components: z.array(z.object({ group: z.string().optional(), name: z.string() })) });
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

test("the list of components of a release contains exactly what the image contains", async () => {
  const npmCli = join(root, ".cache/toolchain/node_modules/npm/bin/npm-cli.js");
  const { components } = Bom.parse(await listComponents(root, npmCli));
  const names = components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
  const shipped = packages.filter(([, { dev }]) => !dev).map(([path]) => path.split("node_modules/").at(-1));
  expect(shipped).toContain("mongodb");
  expect(new Set(names)).toStrictEqual(new Set(shipped));
});
