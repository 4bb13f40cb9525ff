// A vitest reporter: writes the results of a run to the file that TEST_REPORT names, for scripts/check/run-tests.ts. A
// file that cannot be loaded, a hook that fails and an error outside of all tests count as one failed test each.

import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import { root } from "../paths.js";
import type { SerializedError, TestModule } from "vitest/node";

export type Failure = { project: string; file: string; name: string; message: string };

export type Report = { passed: number; failures: Failure[] };

export default class FailuresReporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]) {
    const file = process.env["TEST_REPORT"];
    if (!file) return;
    const tests = modules.flatMap((each) => [...each.children.allTests()]);
    const report: Report = {
      passed: tests.filter((test) => test.result().state === "passed").length,
      failures: [
        ...modules.flatMap(failuresOf),
        ...errors.map((error) => ({
          project: "",
          file: "",
          name: "outside of every test",
          message: messageOf([error]),
        })),
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
    message: messageOf(test.result().errors ?? []),
  }));
  if (failed.length > 0 || module.state() !== "failed") return failed;
  const errors = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())];
  return [{ ...place, name: "the file or one of its hooks", message: messageOf(errors) }];
}

function messageOf(errors: readonly SerializedError[]): string {
  return errors.map(({ message, cause }) => [message, cause?.message].filter(Boolean).join("\n")).join("\n");
}
