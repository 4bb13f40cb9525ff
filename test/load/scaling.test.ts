// Workers scale while they wait for MongoDB. So far away that the machine's own load counts for little; npm run bench:scaling measures it nearer.
import { expect, inject, test } from "vitest";
import { measureScaling } from "./measure-scaling.ts";

test("two workers end batches much faster than one", async () => {
  const servers = { mongoUrl: inject("mongoUrl"), redisUrl: inject("redisUrl") };
  const curve = await measureScaling({ ...servers, latencyMs: 100, batchesPerWorker: 64, workers: [1, 2] });
  const [one = 0, two = 0] = curve.map(({ batchesPerSecond }) => batchesPerSecond);
  expect(two / one).toBeGreaterThan(1.4);
}, 180_000);
