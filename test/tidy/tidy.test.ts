import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../../scripts/paths.js";
import { readTree } from "../../scripts/tidy/read-tree.ts";
import { rules } from "../../scripts/tidy/rules.ts";

const fixtures = join(root, "test", "tidy", "fixtures");

describe("tidy", () => {
  test("has a fixture for every rule, and a rule for every fixture", () => {
    expect(readdirSync(fixtures).toSorted()).toStrictEqual(Object.keys(rules).toSorted());
  });

  test.each(Object.entries(rules))("finds exactly the mistakes in the fixture of %s", (name, rule) => {
    const folder = join(fixtures, name);
    const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as object[];
    expect(rule(readTree(folder))).toStrictEqual(expected.map((finding) => ({ rule: name, ...finding })));
  });

  const repository = readTree(root);
  test.each(Object.entries(rules))("finds no violation of %s in this repository", (_name, rule) => {
    expect(rule(repository)).toStrictEqual([]);
  });

  test("reports each finding with its line and rule, and exits with code 1, as JSON on request", () => {
    const folder = join(fixtures, "no-injection");
    const ended = tidy(folder);
    expect(ended.status).toBe(1);
    const message = "writes a value into a Lua script: pass it as KEYS or ARGV";
    expect(ended.stdout).toMatch("no-injection\n");
    expect(ended.stdout).toContain(`  libs/lock/member-lock.ts:2  ${message}\n`);
    expect(JSON.parse(tidy("--json", folder).stdout)).toContainEqual({
      rule: "no-injection",
      file: "libs/lock/member-lock.ts",
      line: 2,
      message,
    });
    expect(tidy("--fix").status).toBe(2);
  });
});

function tidy(...args: string[]): { status: number | null; stdout: string } {
  return spawnSync(process.execPath, [join(root, "scripts", "tidy.js"), ...args], { encoding: "utf8" });
}
