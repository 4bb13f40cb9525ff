// `npm run bench` as it is called: a whole small run, and what it says to mistakes.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../test/support/temp-dir.ts";
import { withResult } from "./report/markdown.ts";

type Ended = { code: number; stdout: string; stderr: string };

test("npm run bench prints its ratio as JSON and writes a page with plots", { timeout: 600_000 }, async () => {
  const out = tempDir();
  const run = (seconds: number): Promise<Ended> =>
    bench("--only", "5", "--rounds", "2", "--seconds", String(seconds), "--json", "--out", out);
  let { code, stdout, stderr } = await run(0.5);
  // On a busy machine, nothing may come within the time.
  for (let seconds = 2; stderr.includes("--seconds makes it longer"); seconds *= 3)
    ({ code, stdout, stderr } = await run(seconds));
  expect(stderr).toContain("round 2 of 2");
  expect(code).toBe(0);
  const { lines, readings, ...rest } = JSON.parse(stdout);
  expect(lines).toHaveLength(1);
  expect(lines[0].ratio.median).toBeGreaterThan(0);
  expect(lines[0].ratio.lowest).toBeLessThanOrEqual(lines[0].ratio.median);
  expect(readings["ours-lone"]).toHaveLength(2);
  expect(rest.machine.versions.mongod).toMatch(/^\d/);
  expect(JSON.parse(readFileSync(join(out, "result.json"), "utf8"))).toStrictEqual(JSON.parse(stdout));
  expect(readFileSync(join(out, "report.html"), "utf8").match(/<svg /g)).toHaveLength(2);

  // As it would have been judged when its target was another one: a report of it says what the targets say today.
  const before = join(out, "before.json");
  const bounds = { must: 0, aim: 0, verdict: "missed" };
  writeFileSync(before, JSON.stringify({ lines: [{ ...lines[0], ...bounds }], readings, ...rest }));
  const again = await bench("--from", before, "--json", "--out", tempDir());
  expect(JSON.parse(again.stdout)).toStrictEqual(JSON.parse(stdout));
});

describe("npm run bench with invalid arguments", () => {
  test.each([
    [["--only", "99"], "there is no target 99"],
    [["--rounds", "1.5"], "--rounds 1.5"],
    [["--seconds", "0"], "--seconds 0"],
    [["--size", "2"], "--size 2"],
    [["--size", "0.1", "--record"], "leave --publish and --record away"],
    [["--quick", "--only", "1"], "leave --only away"],
    [["--from", "result.json", "--only", "1"], "--from measures nothing"],
    [["--at-least", "0.9"], "--at-least needs --against"],
    [["--against", "HEAD", "--publish"], "leave --publish away"],
    [["--against", "HEAD", "--only", "1"], "there is no load 1; there are distinct, hot"],
    [["--against", "HEAD", "--at-least", "0"], "--at-least 0"],
    [["--against", "no-such-commit"], "this repository has no commit no-such-commit"],
    [["--fast"], "--fast"],
  ])("is reported and exits with code 2: %o", async (args, message) => {
    const { code, stdout, stderr } = await bench(...args);
    expect({ code, stdout }).toStrictEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).toContain("Usage: npm run bench");
  });
});

test("npm run bench --help describes every option and exits with code 0", async () => {
  const { code, stdout } = await bench("--help");
  expect(code).toBe(0);
  const options = "quick only rounds seconds size json markdown publish from against at-least record out".split(" ");
  for (const option of options) expect(stdout).toContain(`--${option}`);
});

test.each(["contributing/benchmarks.md", "explanation/performance.md", "how-to/scale.md"])(
  "publishing a result replaces the previous one in docs/%s, and nothing else",
  (name) => {
    const page = readFileSync(join("docs", name), "utf8");
    const once = withResult(page, "| first |");
    expect(withResult(once, "| second |")).toBe(once.replace("| first |", "| second |"));
  },
);

function bench(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, ["bench/main.ts", ...args], (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}
