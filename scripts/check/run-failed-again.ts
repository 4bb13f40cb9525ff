// A test that failed while others ran is run again, alone, and what it says then counts: on a busy machine a page, a
// timer or a process is late, which is not a defect of the product. The first failure is printed as UNSTABLE, because a
// test that needs a second run needs a fix. Races are what the tests of faults, of the lock and of the simulation look
// for: these are run again only if they were late. If tests of many files failed, all of them stay failed.

import type { Failure } from "./failures-reporter.ts";
import type { Outcome } from "./run-tests.ts";

/** Not tests: one pause of the machine makes all tests of a file late that run at the same time. */
const FILES_MAX = 5;

/** The outcome, with the second result of each file that was run again; `run` calls vitest with these arguments. */
export async function runFailedAgain({
  outcome,
  run,
  print,
}: {
  outcome: Outcome;
  run: (args: string[]) => Promise<Outcome>;
  print: (line: string) => void;
}): Promise<Outcome & { unstable: Failure[] }> {
  const failed = outcome.failures.filter(mayRunAgain);
  const files = new Set(failed.map(({ file }) => file));
  if (files.size === 0 || files.size > FILES_MAX) return { ...outcome, unstable: [] };
  print("These tests failed and are run again, alone:");
  for (const { project, file, name } of failed) print(`  ${project}  ${file}  ${name}`);
  const projects = new Set(failed.map(({ project }) => project).filter(Boolean));
  const again = await run([
    "--no-file-parallelism",
    ...[...projects].flatMap((project) => ["--project", project]),
    ...files,
  ]);
  const failures = [...outcome.failures.filter((each) => !mayRunAgain(each)), ...again.failures];
  const unstable = failed.filter((first) => !again.failures.some((second) => isSameTest(first, second)));
  return { passed: outcome.passed + outcome.failed - failures.length, failed: failures.length, failures, unstable };
}

function mayRunAgain({ project, file, isLate }: Failure): boolean {
  if (file === "") return false;
  return isLate || !(/(^|-)lock-/.test(project) || /(^|\/)test\/(faults|simulation)\//.test(file));
}

function isSameTest(one: Failure, other: Failure): boolean {
  return one.project === other.project && one.file === other.file && one.name === other.name;
}
