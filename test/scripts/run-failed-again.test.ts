// How `npm test` treats failed tests, in a separate vitest: which of them only ran out of time, which are run again, and
// what the second run decides.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { printFailures } from "../../scripts/check/failures.ts";
import { runFailedAgain } from "../../scripts/check/run-failed-again.ts";
import { runTests, type Outcome } from "../../scripts/check/run-tests.ts";
import { tempDir } from "../support/temp-dir.ts";

const LATE_ONCE = `
import { existsSync, writeFileSync } from "node:fs";
const isSecondRun = existsSync(MARK);
test("in time when alone", { timeout: isSecondRun ? 60_000 : 20 }, async () => {
  if (isSecondRun) return;
  writeFileSync(MARK, "");
  await new Promise(() => {});
});
test("passes", () => {});`;
const WRONG_ONCE = `
import { existsSync, writeFileSync } from "node:fs";
test("is right when alone", () => {
  const isFirst = !existsSync(MARK);
  writeFileSync(MARK, "");
  expect(isFirst).toBe(false);
});`;
const ALL_WRONG_ONCE = `
import { existsSync, writeFileSync } from "node:fs";
const isFirst = !existsSync(MARK);
afterAll(() => writeFileSync(MARK, ""));
test.for([1, 2, 3])("%i is right when alone", () => expect(isFirst).toBe(false));`;
const LATE_ALWAYS = `
test("polls for what never comes", () => expect.poll(() => 1, { timeout: 20 }).toBe(2));
test("takes too long", () => expect(3, "in time").toBeLessThan(2));`;
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
    writeFileSync(path, text.replaceAll("MARK", JSON.stringify(`${path}.mark`)));
  }
  return ["--root", root, "--config", join(root, "vitest.config.js")];
}

const run = (args: string[]): Promise<Outcome> => runTests({ args, print: () => {} });
const namesOf = ({ failures }: Outcome): string[] => failures.map(({ name }) => name).toSorted();

test("a broken file counts as a failed test, and only a test that was too slow counts as late", async () => {
  const outcome = await run(suiteOf({ late: LATE_ALWAYS, wrong: WRONG, broken: BROKEN, hook: BROKEN_HOOK }));
  expect(outcome).toMatchObject({ passed: 1, failed: 5 });
  expect(outcome.failures.filter(({ isLate }) => isLate).map(({ name }) => name)).toEqual([
    "polls for what never comes",
    "takes too long",
  ]);
  const printed: string[] = [];
  printFailures(outcome.failures, (line) => printed.push(line));
  expect(printed).toContainEqual(expect.stringMatching(/^FAILED .*wrong\.test\.js {2}finds something wrong$/));
  expect(printed.join("\n")).toMatch(/no server[\s\S]*missing\.js|missing\.js[\s\S]*no server/);
});

/** The first outcome of these files, the one that counts, and what was printed between them. */
async function runTwice(files: Record<string, string>) {
  const args = suiteOf(files);
  const first = await run(args);
  const printed: string[] = [];
  const settled = await runFailedAgain({
    outcome: first,
    run: (more) => run([...args, ...more]),
    print: (line) => printed.push(line),
  });
  return { first, settled, printed: printed.join("\n") };
}

test("a test that passes when it runs alone has passed, and is named as unstable", async () => {
  const { first, settled, printed } = await runTwice({ late: LATE_ONCE, once: WRONG_ONCE, wrong: WRONG });
  expect(first).toMatchObject({ passed: 2, failed: 3 });
  expect(settled).toMatchObject({ passed: 4, failed: 1 });
  expect(namesOf(settled)).toEqual(["finds something wrong"]);
  expect(settled.unstable.map(({ name }) => name).toSorted()).toEqual(["in time when alone", "is right when alone"]);
  expect(settled.unstable.map(({ message }) => message).join()).toContain("expected true to be false");
  expect(printed).toContain("in time when alone");
});

test("tests of more than five files have failed, however many of one file are run again", async () => {
  const names = ["one", "two", "three", "four", "five"];
  const { settled: five } = await runTwice(Object.fromEntries(names.map((name) => [name, WRONG_ONCE])));
  expect(five).toMatchObject({ passed: 5, failed: 0, unstable: { length: 5 } });
  const { settled: six } = await runTwice(Object.fromEntries([...names, "six"].map((name) => [name, WRONG_ONCE])));
  expect(six).toMatchObject({ passed: 0, failed: 6, unstable: [] });
  const { settled: ofOneFile } = await runTwice({ shared: ALL_WRONG_ONCE });
  expect(ofOneFile).toMatchObject({ passed: 3, failed: 0, unstable: { length: 3 } });
});

test("a test that fails again when it runs alone has failed", async () => {
  const { settled } = await runTwice({ late: LATE_ALWAYS });
  expect(settled).toMatchObject({ passed: 0, failed: 2, unstable: [] });
});

test("where races are looked for, only a test that was too slow has a second run", async () => {
  const { settled } = await runTwice({ "faults/late": LATE_ONCE, "faults/once": WRONG_ONCE });
  expect(namesOf(settled)).toEqual(["is right when alone"]);
  expect(settled.unstable.map(({ name }) => name)).toEqual(["in time when alone"]);
  const failure = { project: "lock-off", file: "test/api/a.test.ts", name: "replays", message: "", isLate: false };
  const outcome = { passed: 0, failed: 1, failures: [failure] };
  const neverRun = () => Promise.reject(new Error("was run"));
  expect(await runFailedAgain({ outcome, run: neverRun, print: () => {} })).toMatchObject({ failed: 1, unstable: [] });
});
