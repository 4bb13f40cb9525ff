import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { root } from "../../scripts/paths.js";
import { fileOf, packageNames, packages, versionsOf, type PackageName } from "../../scripts/release/packages.ts";
import { setVersion } from "../../scripts/release/set-version.ts";
import { tempDir } from "../support/temp-dir.ts";
import { withUnreleased } from "./tagged-clone.ts";

describe("a release", () => {
  let copy: string;
  beforeEach(() => {
    copy = tempDir();
    for (const name of packageNames) {
      for (const own of [...Object.keys(packages[name].places), "CHANGELOG.md"]) {
        const file = fileOf(name, own);
        mkdirSync(dirname(join(copy, file)), { recursive: true });
        cpSync(join(root, file), join(copy, file));
      }
      withUnreleased(copy, name);
    }
  });
  const read = (file: string): string => readFileSync(join(copy, file), "utf8");
  const release = (name: string, version: string): string[] =>
    setVersion({ root: copy, name, version, today: "2026-11-22" });
  const versions = (name: PackageName): string[] => versionsOf(name, read).map(({ version }) => version);

  test.each(packageNames)("of %s updates every place of its version and dates the unreleased changes", (name) => {
    const changelog = fileOf(name, "CHANGELOG.md");
    const before = read(changelog);
    const files = release(name, "7.8.9");
    expect(files).toStrictEqual(
      [...Object.keys(packages[name].places), "CHANGELOG.md"].map((own) => fileOf(name, own)),
    );
    expect(new Set(versions(name))).toStrictEqual(new Set(["7.8.9"]));
    expect(read(changelog)).toBe(before.replace("## Unreleased\n", "## Unreleased\n\n## 7.8.9 - 2026-11-22\n"));
  });

  test("is rejected and changes nothing if its version is lower, invalid or exists, or nothing was changed", () => {
    const manifest = read("clients/luau/wally.toml");
    expect(() => release("luau", "0.0.9")).toThrow("0.0.9 is lower than 0.1.0");
    expect(() => release("luau", "v1.0.0")).toThrow("not a version");
    expect(() => release("unity", "1.0.0")).toThrow("service, luau, typescript");
    expect(read("clients/luau/wally.toml")).toBe(manifest);
    release("luau", "1.0.0");
    expect(() => release("luau", "1.0.0")).toThrow("already has a section for 1.0.0");
    expect(() => release("luau", "1.0.1")).toThrow('says nothing under "Unreleased"');
    writeFileSync(join(copy, "clients/luau/wally.toml"), "[package]\n");
    expect(() => release("luau", "1.1.0")).toThrow("does not contain a version");
  });
});

test.each(packageNames)(
  "%s has one version: in all of its places, and as the newest release of its changelog",
  (name) => {
    const read = (file: string): string => readFileSync(join(root, file), "utf8");
    const [newest = ""] = versionsOf(name, read).map(({ version }) => version);
    expect(versionsOf(name, read)).toStrictEqual(versionsOf(name, read).map((each) => ({ ...each, version: newest })));
    // The first version of a client is not released yet.
    const released = /^## (\d+\.\d+\.\d+)/m.exec(read(fileOf(name, "CHANGELOG.md")))?.[1] ?? newest;
    expect(released).toBe(newest);
  },
);
