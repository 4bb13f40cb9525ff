import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../../scripts/paths.js";
import { freePort } from "../../scripts/services/ports.ts";
import { makeDataFolder, npmStart } from "../support/npm-start.ts";
import { startCommandLine } from "./command-line.ts";
import { asCame, pagesWithCommands, runSteps, special, stepsOf, type Step } from "../support/docs-page.ts";
import { expectShown, makeProject, withPrograms } from "./programs.ts";

/**
 * The one whose commands go through npx and a process, as a reader's do. On the others they run in this process, which
 * is all of the command line but its start and its end (test/apps/cli/command-line.test.ts has those).
 */
const PAGE_WITH_NPX = "docs/quick-start.md";
/** What commands write into the folder of the clone. */
const WRITTEN = ["quarry.csv"];

describe.skipIf(process.platform !== "linux")(
  "every command that a page prints works as printed",
  { timeout: 300_000 },
  () => {
    const { dataDir, remove } = makeDataFolder();
    const env: Record<string, string> = { DATA_DIR: dataDir };
    let commandLine: Awaited<ReturnType<typeof startCommandLine>>;
    let project: Awaited<ReturnType<typeof makeProject>>;
    beforeAll(async () => {
      [commandLine, project] = await Promise.all([startCommandLine(), makeProject()]);
      Object.assign(env, { PORT: String(await freePort()), OPS_PORT: String(await freePort()) });
      await npmStart(dataDir, env).ready();
    }, 240_000);
    afterAll(async () => {
      project?.remove();
      for (const name of WRITTEN) rmSync(join(root, name), { force: true });
      await remove();
      await commandLine?.close();
    });

    test.each(pagesWithCommands())("%s", async (page) => {
      const steps = withPrograms(page, project.folder);
      const printed = await runSteps(steps, env, page === PAGE_WITH_NPX ? {} : { prelude: commandLine.npx });
      expect(printed).toHaveLength(steps.length);
      for (const [index, { answer, shown }] of steps.entries()) {
        if (shown !== undefined) expectShown(shown, printed[index] ?? "");
        if (answer === undefined) continue;
        const came: unknown = JSON.parse(printed[index] ?? "");
        expect(came).toStrictEqual(asCame(answer, came));
      }
      expect(printed.join("")).not.toContain(readFileSync(join(dataDir, "demo-key"), "utf8").trim());
    });
  },
);

test("what is shown in TypeScript beside a command is run, too", () => {
  const programs = pagesWithCommands().flatMap((page) => stepsOf(page).filter(({ program }) => program !== undefined));
  expect(programs.length).toBeGreaterThan(12);
});

test("a documented command that fails is reported with its place and output, and no later step runs", async () => {
  const commands = ["echo one", "echo two; echo three >&2; false", "echo four"];
  const steps = commands.map((command, index) => ({ page: "a.md", line: index + 1, command, answer: undefined }));
  await expect(runSteps(steps, {})).rejects.toThrow("a.md:2 exits 1\necho two; echo three >&2; false\ntwo\n\nthree\n");
});

test("only a list of members is read repeatedly until it equals the documented one", async () => {
  const step = (command: string, answer?: unknown): Step => ({ page: "a.md", line: 1, command, answer });
  // Replaces curl: it prints how often it was called.
  const standIn = step("calls=0; curl() { calls=$((calls + 1)); echo $calls; }");
  const list = (answer: unknown): Step => step('curl -s "$HOME/members?sort=xp" -H "A: b"', answer);
  const member = step('curl -s "$HOME/members/1" -H "A: b"', 99);
  const write = step(`${list(99).command} -d '{}'`, 99);
  const printed = await runSteps([standIn, list(3), member, write, step("echo $calls")], {});
  expect(printed).toStrictEqual(["", "3\n", "4\n", "5\n", "5\n"]);
  // What is never printed is not waited for longer than this.
  await expect(runSteps([standIn, list("never")], {}, { settledMs: 50 })).resolves.toHaveLength(2);
});

test("a page that uses npx has commands, and npx clanxp is the same command line as on other pages", async ({
  onTestFinished,
}) => {
  expect(stepsOf(PAGE_WITH_NPX).some(({ command }) => command.includes("npx clanxp"))).toBe(true);
  const { npx: prelude, close } = await startCommandLine();
  onTestFinished(close);
  const commands = [`npx clanxp clan show "a clan"`, `MONGO_URL="no URL" npx clanxp clan show a`];
  const steps = commands.map((command, line) => {
    return { page: "a.md", line, command: `${command} --json 2>/dev/null || echo "exits $?"`, answer: undefined };
  });
  const [through, past] = await Promise.all([runSteps(steps, {}), runSteps(steps, {}, { prelude })]);
  expect(past).toStrictEqual(through);
  expect(through).toStrictEqual([
    expect.stringMatching(/a clan.*\nexits 2\n$/),
    expect.stringMatching(/MONGO_URL.*\nexits 2\n$/),
  ]);
  const toStderr = { page: "a.md", line: 1, command: "npx clanxp crate 2>&1 >/dev/null || true", answer: undefined };
  expect(await runSteps([toStderr], {}, { prelude })).toStrictEqual([expect.stringContaining("crate")]);
});

test("every command with special treatment occurs on a page", () => {
  const commands = pagesWithCommands()
    .flatMap(stepsOf)
    .map(({ command }) => command);
  for (const { command } of special) expect(commands.some((text) => command.test(text))).toBe(true);
});

test("the README names the commands that set everything up", () => {
  const commands = stepsOf("README.md").map(({ command }) => command);
  expect(commands).toEqual(expect.arrayContaining(["npm start", "npm test", "npm run test:long"]));
});
