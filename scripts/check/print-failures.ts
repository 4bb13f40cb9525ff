// Prints the failures of a whole run again at its end, because they are hard to find thousands of lines above.

import type { Failure } from "./failures-reporter.ts";

const LINES_MAX = 15;
const LINE_LENGTH_MAX = 300;

export function printFailures(failures: Failure[], print: (line: string) => void) {
  for (const { project, file, name, message } of failures) {
    print(`FAILED  ${[project, file, name].filter(Boolean).join("  ")}`);
    const lines = message.split("\n");
    for (const line of lines.slice(0, LINES_MAX)) print(`        ${line.slice(0, LINE_LENGTH_MAX)}`);
    if (lines.length > LINES_MAX) print(`        (${lines.length - LINES_MAX} more lines above)`);
  }
}
