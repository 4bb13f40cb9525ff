// A test that timed out while others ran is run again, alone, because a busy machine is not a defect of the product.
// Tests with failed assertions stay failed. If many tests timed out, all of them stay failed.

import type { Outcome } from "./run-tests.ts";

const FILES_MAX = 5;

/** The outcome, with the second result of each file that was run again; `run` calls vitest with these arguments. */
export async function runLateAgain({
  outcome,
  run,
  print,
}: {
  outcome: Outcome;
  run: (args: string[]) => Promise<Outcome>;
  print: (line: string) => void;
}): Promise<Outcome> {
  const late = outcome.failures.filter(({ isLate }) => isLate);
  const files = new Set(late.map(({ file }) => file));
  if (files.size === 0 || files.size > FILES_MAX) return outcome;
  print("These tests timed out and are run again, alone:");
  for (const { project, file, name } of late) print(`  ${project}  ${file}  ${name}`);
  const projects = new Set(late.map(({ project }) => project).filter(Boolean));
  const again = await run([
    "--no-file-parallelism",
    ...[...projects].flatMap((project) => ["--project", project]),
    ...files,
  ]);
  const failures = [...outcome.failures.filter(({ isLate }) => !isLate), ...again.failures];
  return { passed: outcome.passed + outcome.failed - failures.length, failed: failures.length, failures };
}
