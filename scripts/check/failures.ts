// Failures that are not of a test in a file, and how those of a whole run are printed.
import type { Failure } from "./failures-reporter.ts";

/** Of a check, or of the run itself. */
export function failureOf({
  project = "",
  name,
  message,
}: {
  project?: string;
  name: string;
  message: string;
}): Failure {
  return { project, file: "", name, message, isLate: false };
}

const LINES_MAX = 15;
const LINE_LENGTH_MAX = 300;

/** Again at the end of the run, because they are hard to find thousands of lines above. */
export function printFailures(failures: Failure[], print: (line: string) => void, label = "FAILED") {
  for (const { project, file, name, message } of failures) {
    print(`${label}  ${[project, file, name].filter(Boolean).join("  ")}`);
    const lines = message.split("\n");
    for (const line of lines.slice(0, LINES_MAX)) print(`        ${line.slice(0, LINE_LENGTH_MAX)}`);
    if (lines.length > LINES_MAX) print(`        (${lines.length - LINES_MAX} more lines above)`);
  }
}
