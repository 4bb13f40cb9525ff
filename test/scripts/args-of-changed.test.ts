// What `npm test -- --changed` compares with, in temporary repositories.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { argsOfChanged } from "../../scripts/check/args-of-changed.ts";

const OWN = ["-c", "user.name=test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgsign=false"];
let repository: string;
const git = (...args: string[]): string =>
  execFileSync("git", [...OWN, ...args], { cwd: repository, encoding: "utf8" }).trim();

function commit(name: string): string {
  writeFileSync(join(repository, name), name);
  git("add", name);
  git("commit", "--quiet", "--message", name);
  return git("rev-parse", "HEAD");
}

beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), "clanxp-changed-"));
  onTestFinished(() => rmSync(repository, { recursive: true }));
  git("init", "--quiet", "--initial-branch", "main");
});

test("--changed compares a branch with the commit at which it left main, however far main has moved", async () => {
  const left = commit("before");
  git("switch", "--quiet", "--create", "branch");
  commit("on-branch");
  git("switch", "--quiet", "main");
  commit("on-main");
  git("switch", "--quiet", "branch");
  expect(await argsOfChanged(["--changed", "test/api"], repository)).toStrictEqual([
    "--changed",
    left,
    "--passWithNoTests",
    "test/api",
  ]);
});

test("--changed selects the uncommitted changes if there is no main branch", async () => {
  commit("before");
  git("branch", "--move", "trunk");
  expect(await argsOfChanged(["--changed"], repository)).toStrictEqual(["--changed", "HEAD", "--passWithNoTests"]);
});

test("--changed does not affect other arguments", async () => {
  expect(await argsOfChanged(["test/domain", "--changed=HEAD~2"], repository)).toStrictEqual([
    "test/domain",
    "--changed=HEAD~2",
  ]);
});
