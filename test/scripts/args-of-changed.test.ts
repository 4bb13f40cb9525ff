// What `npm test -- --changed` compares with, and which tests it selects, in temporary repositories.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { argsOfChanged } from "../../scripts/check/args-of-changed.ts";
import { tempDir } from "../support/temp-dir.ts";

const OWN = ["-c", "user.name=test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgsign=false"];
let repository: string;
const git = (...args: string[]): string =>
  execFileSync("git", [...OWN, ...args], { cwd: repository, encoding: "utf8" }).trim();

function write(name: string, text: string): void {
  const path = join(repository, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function commit(name: string): string {
  write(name, name);
  git("add", "--all");
  git("commit", "--quiet", "--message", name);
  return git("rev-parse", "HEAD");
}

beforeEach(() => {
  repository = tempDir();
  git("init", "--quiet", "--initial-branch", "main");
});

/** Each starts or imports one thing. */
const TESTS = {
  "test/adds.test.ts": 'import { add } from "#domain/add.ts";',
  "test/starts.test.ts": 'const api = startProcess("api", {});',
  "test/starts-both.test.ts": 'import { both } from "./support/both.ts";',
  "test/support/both.ts": 'startProcess("api", {});\nstartProcess("worker", {});',
  "test/shows.test.ts": 'import { openBrowser } from "./browser.ts";',
  "apps/api/main.ts": 'import "./routes.ts";',
  "apps/api/routes.ts": 'import type { Add } from "#domain/add.ts";',
  "apps/worker/main.ts": "",
  "apps/dashboard/web/main.tsx": 'const page = import("./page.tsx");',
  "vitest.config.ts": "",
};

const printed: string[] = [];
/** The arguments for vitest after `--changed`, in the temporary repository. */
async function argsOf(...more: string[]): Promise<string[] | null> {
  printed.length = 0;
  return argsOfChanged(["--changed", ...more], { cwd: repository, print: (line) => printed.push(line) });
}

function selecting(...tests: string[]): string[] {
  return ["--project", "!long*", "--passWithNoTests", ...tests];
}

function commitTests(): void {
  for (const [name, text] of Object.entries(TESTS)) write(name, text);
  commit("before");
}

test("--changed compares a branch with the commit at which it left main, however far main has moved", async () => {
  commitTests();
  git("switch", "--quiet", "--create", "branch");
  write("libs/domain/add.ts", "");
  commit("on-branch");
  git("switch", "--quiet", "main");
  write("apps/worker/main.ts", "// moved");
  commit("on-main");
  git("switch", "--quiet", "branch");
  expect(await argsOf("-t", "adds")).toStrictEqual([
    ...selecting("test/adds.test.ts", "test/starts-both.test.ts", "test/starts.test.ts"),
    "-t",
    "adds",
  ]);
});

test("--changed selects the uncommitted changes if there is no main branch", async () => {
  commitTests();
  git("branch", "--move", "trunk");
  expect(await argsOf()).toBeNull();
  write("apps/worker/main.ts", "// changed");
  expect(await argsOf()).toStrictEqual(selecting("test/starts-both.test.ts"));
  expect(printed).toContain("left out  3 of 4 test files, which neither import nor start what this branch changes");
});

test("--changed selects the tests that open a page whose code changes, and all where a setting of all changes", async () => {
  commitTests();
  git("switch", "--quiet", "--create", "branch");
  write("apps/dashboard/web/page.tsx", "");
  expect(await argsOf()).toStrictEqual(selecting("test/shows.test.ts"));
  write("vitest.config.ts", "// changed");
  const all = Object.keys(TESTS).filter((name) => name.endsWith(".test.ts"));
  expect(await argsOf()).toStrictEqual(selecting(...all.toSorted()));
});

test("--changed does not affect other arguments", async () => {
  const args = ["test/domain", "--changed=HEAD~2"];
  expect(await argsOfChanged(args, { cwd: repository, print: () => {} })).toStrictEqual(args);
});
