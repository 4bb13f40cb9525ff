// Beside each test file if TEST_TIMINGS names a file: one JSON line with its duration and CPU time, of this process and
// of those that ended during it. The run's own MongoDB and Redis are in none of them (global-setup.ts).
import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { afterAll, expect } from "vitest";
import { root } from "../../scripts/paths.js";
import { cpuOf } from "../../scripts/check/timings.ts";

const [startedAt, before] = [performance.now(), cpuOf(process.pid)];

// Hooks run in reverse order: after all that the file closes.
afterAll(() => {
  const after = cpuOf(process.pid);
  const line = {
    file: relative(root, expect.getState().testPath ?? ""),
    project: process.env["TEST_LOCK"] ?? "",
    wall: (performance.now() - startedAt) / 1000,
    own: after.own - before.own,
    others: after.ended - before.ended,
  };
  appendFileSync(process.env["TEST_TIMINGS"] ?? "", `${JSON.stringify(line)}\n`);
});
