// Real processes, real faults under load: what was acknowledged counts once, what was not can be sent again, batches
// end. Those that are met often, or have the effects of others; all others are in `npm run test:long`.
import { expect, test } from "vitest";
import { seedOfRun } from "../support/seed.ts";
import { clusterFaults } from "./process-faults.ts";
import { describeCluster, roll, testEach, ROLLING } from "./rounds.ts";

describeCluster((cluster) => {
  testEach(
    clusterFaults.filter(({ often }) => often),
    cluster,
  );

  test(`answers every accepted request and fails none during a ${ROLLING}`, async () => {
    expect(await roll(cluster(), seedOfRun())).toStrictEqual([]);
  });
});
