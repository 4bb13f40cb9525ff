// Makes 60 realistic mistakes in the product, one at a time, and prints which of them a test notices, and which test:
// `node test/mutate.ts`. A work tree of what is committed takes the mistake, beside this one. Each runs only the tests
// that its list names; with `--all` every test of `npm test`, and with `--long` those of `npm run test:long`. Further
// arguments choose mistakes by a part of their names or files.
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

type Found = { caught: boolean; by: string };

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function git(...args: string[]): void {
  const { status, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

function patched({ name, file, from, to }: Fault, copy: string): [path: string, text: string][] {
  return [...mutatedFiles({ name, patches: [{ file, from, to }] }, (path) => readFileSync(join(copy, path), "utf8"))];
}

/** Whether a test fails with the mistake, and the first one that does. */
function find(fault: Fault, copy: string, part: readonly string[] | null): Found {
  const before = readFileSync(join(copy, fault.file), "utf8");
  for (const [path, text] of patched(fault, copy)) writeFileSync(join(copy, path), text);
  const report = join(copy, ".cache-report.json");
  rmSync(report, { force: true });
  const args = ["run", "--bail", "1", "--reporter", "dot", "--reporter", join(copy, REPORTER)];
  const { status } = spawnSync(
    process.execPath,
    [join(copy, "node_modules/vitest/vitest.mjs"), ...args, ...(part ?? fault.tests)],
    { cwd: copy, env: { ...process.env, TEST_REPORT: report }, stdio: ["ignore", "ignore", "inherit"] },
  );
  writeFileSync(join(copy, fault.file), before);
  if (!existsSync(report)) return { caught: false, by: `vitest exited with ${status} without a report` };
  const { failures }: Report = JSON.parse(readFileSync(report, "utf8"));
  const [first] = failures;
  return first ? { caught: true, by: `${first.file}: ${first.name}` } : { caught: false, by: "nothing" };
}

/** Those of the test files, and what `--all` and `--long` choose instead. */
function partIn(args: string[]): string[] | null {
  if (args.includes("--all")) return ["--project", "!long*"];
  return args.includes("--long") ? ["--project", "long*"] : null;
}

const args = process.argv.slice(2);
const words = args.filter((arg) => !arg.startsWith("--"));
const copy = join(mkdtempSync(join(tmpdir(), "clanxp-mutate-")), "copy");
git("worktree", "add", "--quiet", "--detach", copy, "HEAD");
try {
  for (const folder of ["node_modules", ".cache"]) symlinkSync(join(root, folder), join(copy, folder));
  const counts: string[] = [];
  print("| fault | caught by |\n|---|---|");
  for (const [group, faults] of Object.entries(GROUPS)) {
    const chosen = faults.filter(({ name, file }) => words.every((word) => `${name} ${file}`.includes(word)));
    const found = chosen.map((fault) => {
      const { caught, by } = find(fault, copy, partIn(args));
      print(`| ${group}: ${fault.name} | ${caught ? by : `**not caught**: ${by}`} |`);
      return caught;
    });
    counts.push(`${group}: ${found.filter(Boolean).length} of ${found.length}`);
  }
  print(`\n${counts.join(", ")}`);
} finally {
  git("worktree", "remove", "--force", copy);
  rmSync(join(copy, ".."), { recursive: true, force: true });
}
