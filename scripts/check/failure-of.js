// The failure of something that is no test of a file: a check, or a part of the run itself.

/**
 * @param {{ project?: string, name: string, message: string }} what
 * @returns {import("./failures-reporter.js").Failure}
 */
export function failureOf({ project = "", name, message }) {
  return { project, file: "", name, message, isLate: false };
}
