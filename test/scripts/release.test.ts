import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { packages, setVersion } from "../../scripts/release/set-version.ts";
import { root } from "../../scripts/paths.js";

describe("a release", () => {
  let copy: string;
  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), "clanxp-release-"));
    for (const name of packages) {
      const to = join(copy, "clients", name);
      mkdirSync(to, { recursive: true });
      for (const file of ["README.md", "CHANGELOG.md", "wally.toml", "package.json", "package-lock.json"]) {
        const from = join(root, "clients", name, file);
        if (existsSync(from)) cpSync(from, join(to, file));
      }
    }
  });
  afterEach(() => rmSync(copy, { recursive: true, force: true }));
  const read = (name: string, file: string): string => readFileSync(join(copy, "clients", name, file), "utf8");
  const release = (name: string, version: string): string[] =>
    setVersion({ root: copy, name, version, today: "2026-11-22" });

  test.each(packages)("of %s updates every manifest and dates the unreleased changes", (name) => {
    const before = read(name, "CHANGELOG.md");
    const files = release(name, "7.8.9");
    for (const path of files) expect(read(name, path.split("/").at(-1) ?? "")).toContain("7.8.9");
    expect(files.length).toBe(3);
    expect(read(name, "CHANGELOG.md")).toBe(
      before.replace("## Unreleased\n", "## Unreleased\n\n## 7.8.9 (2026-11-22)\n"),
    );
  });

  test("is rejected and changes nothing if its version is lower, invalid or exists, or nothing was changed", () => {
    const manifest = read("luau", "wally.toml");
    expect(() => release("luau", "0.0.9")).toThrow("0.0.9 is lower than 0.1.0");
    expect(() => release("luau", "v1.0.0")).toThrow("not a version");
    expect(() => release("unity", "1.0.0")).toThrow("luau, typescript");
    expect(read("luau", "wally.toml")).toBe(manifest);
    release("luau", "1.0.0");
    expect(() => release("luau", "1.0.0")).toThrow("already has a section for 1.0.0");
    expect(() => release("luau", "1.0.1")).toThrow('says nothing under "Unreleased"');
    writeFileSync(join(copy, "clients/luau/wally.toml"), "[package]\n");
    expect(() => release("luau", "1.1.0")).toThrow("does not contain a version");
  });
});

test("the service has one version: in its package, its image and its chart, and as the newest release of the changelog", () => {
  const versions = {
    "package.json": /^ {2}"version": "([^"]+)"/m,
    "package-lock.json": /^ {6}"name": "clanxp",\n {6}"version": "([^"]+)"/m,
    Dockerfile: /^ARG VERSION=(\S+)/m,
    "deploy/helm/clanxp/Chart.yaml": /^version: (\S+)\nappVersion: \1$/m,
    "CHANGELOG.md": /^## (\d+\.\d+\.\d+)/m,
  };
  const found = Object.entries(versions).map(([file, version]) => [
    file,
    version.exec(readFileSync(join(root, file), "utf8"))?.[1],
  ]);
  const [[, expected] = []] = found;
  expect(expected).toMatch(/^\d/);
  expect(found).toStrictEqual(found.map(([file]) => [file, expected]));
});
