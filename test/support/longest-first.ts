// The order of test files: the longest first, so that none of them runs alone at the end; then project by project, so
// that a worker of a project goes on with its next file, and by the name without its folder, so that suites of one
// folder, such as load, do not all run at the same time. Only time depends on it.
import { basename } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files of 20 s or more, the longest first. */
const longest: readonly string[] = [
  "test/faults/process-faults.test.ts",
  "test/scripts/start.test.ts",
  "test/scripts/fresh-clone.test.ts",
  "test/faults/erasure.test.ts",
  "test/docs/commands.test.ts",
  "test/dashboard/live-pages.test.ts",
  "test/load/overload.test.ts",
  "test/dashboard/keys.test.ts",
  "test/faults/failover.test.ts",
  "test/dashboard/clans-and-queue-browser.test.ts",
  "test/faults/mongo-connection.test.ts",
  "test/dashboard/clan-pages-browser.test.ts",
  "test/bench/command-line.test.ts",
  "test/scripts/backup.test.ts",
  "test/dashboard/sign-in-browser.test.ts",
  "test/faults/redis-connection.test.ts",
  "test/security/schemathesis.test.ts",
  "test/faults/projection.test.ts",
  "test/store/lost-operation.test.ts",
  "test/faults/caller-connections.test.ts",
  "test/faults/clock.test.ts",
  "test/worker/cancel.test.ts",
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted(
      (a, b) =>
        groupOf(a) - groupOf(b) ||
        placeOf(a) - placeOf(b) ||
        a.project.name.localeCompare(b.project.name) ||
        basename(a.moduleId).localeCompare(basename(b.moduleId)) ||
        a.moduleId.localeCompare(b.moduleId),
    );
  }
}

function groupOf({ project }: TestSpecification): number {
  return project.config.sequence.groupOrder;
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = longest.findIndex((file) => moduleId.endsWith(`/${file}`));
  return place === -1 ? longest.length : place;
}
