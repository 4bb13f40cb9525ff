import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../../scripts/paths.js";
import { readTree } from "../../scripts/tidy/read-tree.ts";
import { rules } from "../../scripts/tidy/rules.ts";
import { tempDir } from "../support/temp-dir.ts";

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

/** The lockfile may lack the build for this platform. */
const hasOxlint = existsSync(join(root, "node_modules", "@oxlint"));
test.skipIf(!hasOxlint)(
  "oxlint bounds lengths, names, exports, the console and the environment, where processes may not use them",
  () => {
    const folder = tempDir();
    copyFileSync(join(root, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
    const lines = (count: number): string => "void 0;\n".repeat(count);
    const body = (count: number): string => `export function f() {\n${lines(count - 2)}}\n`;
    const files = {
      "apps/api/main.ts": "export const env = process.env;\n",
      "apps/cli/bodies.ts": body(70),
      "apps/cli/long-body.ts": body(71),
      "libs/domain/awardKey.ts": "export const key = 1;\n",
      "libs/domain/clan.ts": "const clan = 1;\nexport { clan as default };\n",
      "libs/domain/env.ts": "export const { PORT } = process.env;\n",
      "libs/domain/file.ts": lines(300),
      "libs/domain/log.ts": 'console.log("lock lost");\n',
      "libs/domain/long-file.ts": lines(301),
      "libs/domain/stale.ts": "// oxlint-disable-next-line eslint/no-console\nexport const a = 1;\n",
      "scripts/main.ts": "console.log(process.env);\n",
      "scripts/rank.ts": "export default 1;\n",
      "test/log.ts": 'console.log("ok");\n',
      "vitest.config.ts": "export default {};\n",
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const { stdout } = spawnSync(process.execPath, [join(root, "node_modules/oxlint/bin/oxlint"), "--format", "json"], {
      cwd: folder,
      encoding: "utf8",
    });
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { filename: string; code?: string; message: string }[];
    };
    expect(
      diagnostics.map(({ filename, code, message }) => `${filename} ${code ?? message.split(" (")[0]}`).toSorted(),
    ).toStrictEqual([
      "apps/cli/long-body.ts eslint(max-lines-per-function)",
      "libs/domain/awardKey.ts unicorn(filename-case)",
      "libs/domain/clan.ts import(no-default-export)",
      "libs/domain/env.ts node(no-process-env)",
      "libs/domain/log.ts eslint(no-console)",
      "libs/domain/long-file.ts eslint(max-lines)",
      "libs/domain/stale.ts Unused oxlint-disable directive",
      "scripts/rank.ts import(no-default-export)",
      "test/log.ts eslint(no-console)",
    ]);
  },
);

function tidy(...args: string[]): { status: number | null; stdout: string } {
  return spawnSync(process.execPath, [join(root, "scripts", "tidy.js"), ...args], { encoding: "utf8" });
}
