// How `npm test` counts and prints what failed, in a separate vitest.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { printFailures } from "../../scripts/check/failures.ts";
import { runTests } from "../../scripts/check/run-tests.ts";
import { tempDir } from "../support/temp-dir.ts";

const LATE = `
test("polls for what never comes", () => expect.poll(() => 1, { timeout: 20 }).toBe(2));`;
const WRONG = `
test("finds something wrong", () => expect(1).toBe(2));
test("passes", () => {});`;
const BROKEN = `import "./missing.js";`;
const BROKEN_HOOK = `
beforeAll(() => { throw new Error("no server"); });
test("is never run", () => {});`;

function suiteOf(files: Record<string, string>): string[] {
  const root = tempDir();
  writeFileSync(join(root, "vitest.config.js"), "export default { test: { globals: true } };\n");
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, "test", `${name}.test.js`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return ["--root", root, "--config", join(root, "vitest.config.js")];
}

test("a test that is late, a broken file and a broken hook count as a failed test each, and are printed with the cause", async () => {
  const args = suiteOf({ late: LATE, wrong: WRONG, broken: BROKEN, hook: BROKEN_HOOK });
  const outcome = await runTests({ args, print: () => {} });
  expect(outcome).toMatchObject({ passed: 1, failed: 4 });
  const printed: string[] = [];
  printFailures(outcome.failures, (line) => printed.push(line));
  expect(printed).toContainEqual(expect.stringMatching(/^FAILED .*wrong\.test\.js {2}finds something wrong$/));
  expect(printed).toContainEqual(expect.stringMatching(/^FAILED .*late\.test\.js {2}polls for what never comes$/));
  expect(printed.join("\n")).toMatch(/no server[\s\S]*missing\.js|missing\.js[\s\S]*no server/);
});
