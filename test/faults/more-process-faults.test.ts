// The faults of real processes under load that are not in `npm test`; with FAULTS_MINUTES all of them, round after round
// in seeded order.
import { expect, test } from "vitest";
import { chanceOf, type Chance } from "../support/chance.ts";
import { seedOfRun } from "../support/seed.ts";
import { clusterFaults } from "./process-faults.ts";
import { describeCluster, lack, MINUTES, roll, ROLLING, roundOf, testEach } from "./rounds.ts";

describeCluster((cluster) => {
  testEach(MINUTES > 0 ? [] : clusterFaults.filter(({ often }) => !often), cluster);

  test.runIf(MINUTES > 0)(
    `loses nothing and applies nothing twice during ${MINUTES} minutes of alternating faults`,
    async () => {
      const [seed, endMs] = [seedOfRun(), performance.now() + MINUTES * 60_000];
      const chance = chanceOf(seed);
      const found: string[] = [];
      const possible = clusterFaults.filter((fault) => lack(fault, cluster()) === null);
      while (performance.now() < endMs) {
        for (const fault of shuffled([...possible, null], chance)) {
          if (performance.now() > endMs) break;
          const name = fault?.name ?? ROLLING;
          const wrong = fault ? await roundOf(fault, cluster(), chance) : await roll(cluster(), seed);
          process.stdout.write(`${new Date().toISOString()} ${name}: ${wrong.length === 0 ? "kept" : "BROKEN"}\n`);
          found.push(...wrong.map((text) => `${name}: ${text}`));
        }
      }
      expect(found).toStrictEqual([]);
    },
  );
});

function shuffled<T>(items: readonly T[], chance: Chance): T[] {
  return items
    .map((item) => ({ item, at: chance.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
