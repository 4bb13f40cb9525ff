// How `npm test` treats failed tests, in a separate vitest: which of them only ran out of time, and what a second run
// decides.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { printFailures } from "../../scripts/check/failures.ts";
import { runLateAgain } from "../../scripts/check/run-late-again.ts";
import { runTests, type Outcome } from "../../scripts/check/run-tests.ts";
import { tempDir } from "../support/temp-dir.ts";

const LATE_ONCE = `
import { existsSync, writeFileSync } from "node:fs";
test("in time when alone", { timeout: 20 }, async () => {
  if (existsSync(MARK)) return;
  writeFileSync(MARK, "");
  await new Promise(() => {});
});
test("passes", () => {});`;
const LATE_ALWAYS = `
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
  mkdirSync(join(root, "test"));
  writeFileSync(join(root, "vitest.config.js"), "export default { test: { globals: true } };\n");
  for (const [name, text] of Object.entries(files)) {
    const source = text.replaceAll("MARK", JSON.stringify(join(root, "mark")));
    writeFileSync(join(root, "test", `${name}.test.js`), source);
  }
  return ["--root", root, "--config", join(root, "vitest.config.js")];
}

const run = (args: string[]): Promise<Outcome> => runTests({ args, print: () => {} });
const namesOf = ({ failures }: Outcome): string[] => failures.map(({ name }) => name).toSorted();

test(
  "a broken file counts as a failed test, and only a test that timed out counts as late",
  { timeout: 60_000 },
  async () => {
    const outcome = await run(suiteOf({ late: LATE_ALWAYS, wrong: WRONG, broken: BROKEN, hook: BROKEN_HOOK }));
    expect(outcome).toMatchObject({ passed: 1, failed: 4 });
    expect(outcome.failures.filter(({ isLate }) => isLate).map(({ name }) => name)).toEqual([
      "polls for what never comes",
    ]);
    const printed: string[] = [];
    printFailures(outcome.failures, (line) => printed.push(line));
    expect(printed).toContainEqual(expect.stringMatching(/^FAILED .*wrong\.test\.js {2}finds something wrong$/));
    expect(printed.join("\n")).toMatch(/no server[\s\S]*missing\.js|missing\.js[\s\S]*no server/);
  },
);

test(
  "a late test that passes when it runs alone has passed, but a failed assertion remains a failure",
  { timeout: 60_000 },
  async () => {
    const args = suiteOf({ once: LATE_ONCE, wrong: WRONG });
    const outcome = await run(args);
    expect(outcome).toMatchObject({ passed: 2, failed: 2 });
    const printed: string[] = [];
    const again = await runLateAgain({
      outcome,
      run: (more) => run([...args, ...more]),
      print: (line) => printed.push(line),
    });
    expect(again).toMatchObject({ passed: 3, failed: 1 });
    expect(namesOf(again)).toEqual(["finds something wrong"]);
    expect(printed.join("\n")).toContain("in time when alone");
  },
);

test("a late test that times out again when it runs alone has failed", { timeout: 60_000 }, async () => {
  const args = suiteOf({ late: LATE_ALWAYS });
  const outcome = await run(args);
  const again = await runLateAgain({ outcome, run: (more) => run([...args, ...more]), print: () => {} });
  expect(again).toMatchObject({ passed: 0, failed: 1 });
});
