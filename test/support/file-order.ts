// The order of test files: project by project, because a worker continues only with files of its project, and another
// one loads everything again; "rest", which has the most short files, last. In a project long files come first, so that
// none of them runs alone at the end, and among them those that use the processors beside those that mostly wait; then
// by the name without its folder, so that suites of one folder, such as load, do not all run at the same time. Only the
// duration depends on it.
import { basename } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The longest of each part, by their durations on two cores. Those that mostly wait are beside those that compute. */
const firstFiles: readonly string[] = [
  // npm test
  "test/faults/process-faults.test.ts",
  "test/apps/dashboard/every-page.test.ts",
  "test/apps/dashboard/live-pages.test.ts",
  "test/apps/dashboard/destinations-browser.test.ts",
  "test/apps/dashboard/overview.test.ts",
  "test/scripts/first-start.test.ts",
  "test/apps/dashboard/boards.test.ts",
  "test/api/key-budget.test.ts",
  "test/apps/dashboard/clan-pages-browser.test.ts",
  "test/apps/worker/delivery.test.ts",
  "test/apps/dashboard/audit.test.ts",
  "test/apps/dashboard/keys.test.ts",
  "test/apps/cli/reverse.test.ts",
  "test/apps/cli/reset.test.ts",
  "test/libs/delivery/follow-ranks.test.ts",
  "test/apps/dashboard/sign-in-browser.test.ts",
  "test/libs/boards/standings.test.ts",
  "test/apps/dashboard/boosts.test.ts",
  "test/apps/dashboard/clans-and-queue-browser.test.ts",
  "test/apps/dashboard/many-clans.test.ts",
  "test/apps/worker/cancel.test.ts",
  "test/apps/dashboard/attacks-browser.test.ts",
  // npm run test:long
  "test/faults/more-process-faults.test.ts",
  "test/api/list-standings/final.test.ts",
  "test/faults/mongo-connection.test.ts",
  "test/faults/erasure.test.ts",
  "test/scripts/fresh-clone.test.ts",
  "test/faults/failover.test.ts",
  "bench/command-line.test.ts",
  "test/security/connections.test.ts",
  "test/security/schemathesis.test.ts",
  "test/load/overload.test.ts",
  "test/libs/mongo/lost-operation.test.ts",
  "test/faults/restore.test.ts",
  "test/scripts/start.test.ts",
  "test/libs/mongo/schema-version.test.ts",
  "test/tls/tls.test.ts",
  "test/docs/commands.test.ts",
  "test/faults/caller-connections.test.ts",
  "test/faults/clock.test.ts",
  "test/ops/traces.test.ts",
  "test/clients/typescript/package.test.ts",
  "test/scripts/backup.test.ts",
];

export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted(
      (a, b) =>
        groupOf(a) - groupOf(b) ||
        a.project.name.localeCompare(b.project.name) ||
        placeOf(a) - placeOf(b) ||
        basename(a.moduleId).localeCompare(basename(b.moduleId)) ||
        a.moduleId.localeCompare(b.moduleId),
    );
  }
}

function groupOf({ project }: TestSpecification): number {
  return project.config.sequence.groupOrder;
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = firstFiles.findIndex((file) => moduleId.endsWith(`/${file}`));
  return place === -1 ? firstFiles.length : place;
}
