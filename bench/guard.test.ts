// No change makes the service much slower unseen. Runs after all other suites: see vitest.config.ts.
import { expect, test } from "vitest";
import { below, runAgainst } from "./against/run-against.ts";
import { lastRelease } from "./against/checkout.ts";
import { VoidRun } from "./void-run.ts";
import { runBench } from "./run-bench.ts";
import { QUICK } from "./targets.ts";
import { guardedRatios, readTrend, regressions } from "./trend.ts";

/**
 * Short enough for every `npm test`; the margin is wide enough for what that costs in precision. What looks slower is
 * measured for longer.
 */
const ROUNDS = [1, 5];
const quickRun = (rounds: number) => ({ ids: new Set(QUICK), quick: true, rounds, seconds: 1.2, size: 1 });

const log = (line: string): void => void process.stderr.write(`${line}\n`);

// Once more where it fails: a machine that was busy for a minute is no regression.
test(
  `targets ${QUICK.join(", ")} have not regressed since the last recorded run`,
  { timeout: 300_000, retry: 1 },
  async () => {
    const recorded = readTrend().at(-1);
    if (!recorded)
      return log("Nothing is held against anything: bench/trend.json is empty. Record with: npm run bench -- --record");
    let found: string[] = [];
    for (const rounds of ROUNDS) {
      const result = await runBench(quickRun(rounds), { log: () => {}, progress: () => {} }).catch((error: unknown) => {
        if (error instanceof VoidRun && error.isTooShort) return null;
        throw error;
      });
      if (!result) return log("Nothing is held against anything: this machine is too busy to measure on.");
      const ratios = guardedRatios(result.lines);
      log(`ratios now ${JSON.stringify(ratios)}, recorded ${JSON.stringify(recorded.ratios)}`);
      found = regressions(recorded, ratios);
      if (found.length === 0) break;
    }
    expect(found).toStrictEqual([]);
  },
);

/** The other product's figures are of the same rounds, so the margin is for the machine alone. */
const OF_RELEASE_AT_LEAST = 0.8;

const release = await lastRelease();

test.skipIf(release === null)(
  `single awards and batches are not slower than those of the last release, ${release?.tag ?? "which this clone lacks"}`,
  { timeout: 900_000, retry: 1 },
  async () => {
    const { lines } = await runAgainst(
      release?.commit ?? "",
      { scenes: ["distinct", "batches"], rounds: 5, seconds: 1.2 },
      { log, progress: () => {} },
    );
    const speeds = lines.map(({ scene, speed }) => [scene, speed.median]);
    log(`speed beside ${release?.tag}: ${JSON.stringify(speeds)}`);
    expect(below(lines, OF_RELEASE_AT_LEAST)).toStrictEqual([]);
  },
);
