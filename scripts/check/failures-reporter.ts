// A vitest reporter: writes the results of a run to the file that TEST_REPORT names, for scripts/check/run-tests.ts. A
// file that cannot be loaded, a hook that fails and an error outside of all tests count as one failed test each.

import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import { root } from "../paths.js";
import type { SerializedError, TestModule } from "vitest/node";

/** `isLate`: the test timed out or missed a bound of time, and no other assertion failed. */
export type Failure = { project: string; file: string; name: string; message: string; isLate: boolean };

export type Report = { passed: number; failures: Failure[] };

/** The messages of vitest, Playwright and this project's tests for what did not happen, or end, in time. */
const LATE = /timed out|Timeout \d+ms exceeded|\bin time\b|It was not so within|aborted due to timeout/i;

export default class FailuresReporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]) {
    const file = process.env["TEST_REPORT"];
    if (!file) return;
    const tests = modules.flatMap((each) => [...each.children.allTests()]);
    const report: Report = {
      passed: tests.filter((test) => test.result().state === "passed").length,
      failures: [
        ...modules.flatMap(failuresOf),
        ...errors.map((error) => ({ project: "", file: "", name: "outside of every test", ...describe([error]) })),
      ],
    };
    writeFileSync(file, JSON.stringify(report));
  }
}

function failuresOf(module: TestModule): Failure[] {
  const place = { project: module.project.name, file: relative(root, module.moduleId) };
  const failed = [...module.children.allTests("failed")].map((test) => ({
    ...place,
    name: test.fullName,
    ...describe(test.result().errors ?? []),
  }));
  if (failed.length > 0 || module.state() !== "failed") return failed;
  const errors = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())];
  return [{ ...place, name: "the file or one of its hooks", ...describe(errors) }];
}

function describe(errors: readonly SerializedError[]): { message: string; isLate: boolean } {
  const messages = errors.map(({ message, cause }) => [message, cause?.message].filter(Boolean).join("\n"));
  return { message: messages.join("\n"), isLate: messages.length > 0 && messages.every((text) => LATE.test(text)) };
}
