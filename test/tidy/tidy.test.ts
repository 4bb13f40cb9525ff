import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../../scripts/paths.js";
import { readTree } from "../../scripts/tidy/read-tree.ts";
import { rules } from "../../scripts/tidy/rules.ts";

const fixtures = join(root, "test", "tidy", "fixtures");

describe("tidy", () => {
  test("every rule has a fixture, every fixture a rule", () => {
    expect(readdirSync(fixtures).toSorted()).toStrictEqual(Object.keys(rules).toSorted());
  });

  test.each(Object.entries(rules))("%s finds what is wrong in its fixture, and nothing else", (name, rule) => {
    const folder = join(fixtures, name);
    const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as object[];
    expect(rule(readTree(folder))).toStrictEqual(expected.map((finding) => ({ rule: name, ...finding })));
  });

  const repository = readTree(root);
  test.each(Object.entries(rules))("%s holds in this repository", (_name, rule) => {
    expect(rule(repository)).toStrictEqual([]);
  });

  test("says each finding at its line, under its rule, and exits 1; as JSON when asked", () => {
    const folder = join(fixtures, "no-console");
    const told = tidy(folder);
    expect(told.status).toBe(1);
    expect(told.stdout).toContain("no-console\n  libs/lock/member-lock.ts:3  writes to the console: use the log\n");
    expect(JSON.parse(tidy("--json", folder).stdout)).toContainEqual({
      rule: "no-console",
      file: "libs/lock/member-lock.ts",
      line: 3,
      message: "writes to the console: use the log",
    });
    expect(tidy("--fix").status).toBe(2);
  });
});

function tidy(...args: string[]): { status: number | null; stdout: string } {
  return spawnSync(process.execPath, [join(root, "scripts", "tidy.js"), ...args], { encoding: "utf8" });
}
