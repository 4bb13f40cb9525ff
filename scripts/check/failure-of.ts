// The failure of something that is no test of a file: a check, or a part of the run itself.

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
