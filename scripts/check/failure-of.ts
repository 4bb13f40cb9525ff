// A failure that is not of a test in a file: of a check, or of the run itself.

import type { Failure } from "./failures-reporter.ts";

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
