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
  return { project, file: "", name, message };
}

/** Of a message: the cause is in its first lines, or in its last ones after the progress of a command. */
const [FIRST_LINES, LAST_LINES] = [5, 12];
const LINE_LENGTH_MAX = 300;

/** Again at the end of the run, because they are hard to find thousands of lines above. */
export function printFailures(failures: Failure[], print: (line: string) => void) {
  for (const { project, file, name, message } of failures) {
    print(`FAILED  ${[project, file, name].filter(Boolean).join("  ")}`);
    const lines = message.split("\n");
    const left = lines.length - FIRST_LINES - LAST_LINES;
    const cut =
      left > 0 ? [...lines.slice(0, FIRST_LINES), `(${left} more lines)`, ...lines.slice(-LAST_LINES)] : lines;
    for (const line of cut) print(`        ${line.slice(0, LINE_LENGTH_MAX)}`);
  }
}
