// Makes 62 realistic mistakes in the product, one at a time, and prints which of them a test notices, and which test:
// `node test/mutate.ts`. A work tree of what is committed takes the mistake, beside this one. Each runs the tests that its
// list names, first those of `npm test`, and if these pass, those of `npm run test:long`; with `--all` every test instead.
// Further arguments choose mistakes by a part of their names or files.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../scripts/paths.js";
import type { Report } from "../scripts/check/failures-reporter.ts";
import type { Fault } from "./mutations/fault.ts";
import { faultsOfAwards } from "./mutations/faults-of-awards.ts";
import { faultsOfEvents } from "./mutations/faults-of-events.ts";
import { faultsOfOperators } from "./mutations/faults-of-operators.ts";
import { mutatedFiles } from "./simulation/mutated-files.ts";

const GROUPS = { awards: faultsOfAwards, events: faultsOfEvents, operators: faultsOfOperators };
const REPORTER = "scripts/check/failures-reporter.ts";

/** By the name of each part, its projects. */
const PARTS = { "npm test": "!long*", "npm run test:long": "long*" };

type Part = keyof typeof PARTS;
type Found = { part: Part | null; by: string };

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function git(...args: string[]): void {
  const { status, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

function patched({ name, file, from, to }: Fault, copy: string): [path: string, text: string][] {
  return [...mutatedFiles({ name, patches: [{ file, from, to }] }, (path) => readFileSync(join(copy, path), "utf8"))];
}

/** The part, and the first of its tests, that fails with the mistake. */
function find(fault: Fault, copy: string, runsAll: boolean): Found {
  const before = readFileSync(join(copy, fault.file), "utf8");
  for (const [path, text] of patched(fault, copy)) writeFileSync(join(copy, path), text);
  try {
    for (const part of ["npm test", "npm run test:long"] as const) {
      const by = firstFailure(["--project", PARTS[part], ...(runsAll ? [] : fault.tests)], copy);
      if (by !== null) return { part, by };
    }
    return { part: null, by: "nothing" };
  } finally {
    writeFileSync(join(copy, fault.file), before);
  }
}

function firstFailure(chosen: string[], copy: string): string | null {
  const report = join(copy, ".cache-report.json");
  rmSync(report, { force: true });
  const reporters = ["--reporter", "dot", "--reporter", join(copy, REPORTER)];
  const { status } = spawnSync(
    process.execPath,
    [join(copy, "node_modules/vitest/vitest.mjs"), "run", "--bail", "1", "--passWithNoTests", ...reporters, ...chosen],
    { cwd: copy, env: { ...process.env, TEST_REPORT: report }, stdio: ["ignore", "ignore", "inherit"] },
  );
  if (!existsSync(report)) throw new Error(`vitest exited with ${status} without a report.`);
  const { failures }: Report = JSON.parse(readFileSync(report, "utf8"));
  const [first] = failures;
  return first ? `${first.file}: ${first.name}` : null;
}

const args = process.argv.slice(2);
const words = args.filter((arg) => !arg.startsWith("--"));
const copy = join(mkdtempSync(join(tmpdir(), "clanxp-mutate-")), "copy");
git("worktree", "add", "--quiet", "--detach", copy, "HEAD");
try {
  for (const folder of ["node_modules", ".cache"]) symlinkSync(join(root, folder), join(copy, folder));
  const counts: string[] = [];
  print("| fault | caught by | its first test |\n|---|---|---|");
  for (const [group, faults] of Object.entries(GROUPS)) {
    const chosen = faults.filter(({ name, file }) => words.every((word) => `${name} ${file}`.includes(word)));
    const found = chosen.map((fault) => {
      const { part, by } = find(fault, copy, args.includes("--all"));
      print(`| ${group}: ${fault.name} | ${part ?? "**not caught**"} | ${by} |`);
      return part;
    });
    const short = found.filter((part) => part === "npm test").length;
    counts.push(`${group}: ${found.filter(Boolean).length} of ${found.length}, ${short} by npm test`);
  }
  print(`\n${counts.join("; ")}`);
} finally {
  git("worktree", "remove", "--force", copy);
  rmSync(join(copy, ".."), { recursive: true, force: true });
}
