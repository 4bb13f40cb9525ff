// `npm run bench:scaling -- [--latency MS] [--batches PER_WORKER]`: batches per second with 1, 2 and 4 worker processes
// and that latency to MongoDB (20 ms), on separate servers.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startServices } from "../../scripts/services/start-services.ts";
import { measureScaling } from "./measure-scaling.ts";

const { values } = parseArgs({
  options: { latency: { type: "string", default: "20" }, batches: { type: "string", default: "1000" } },
});

const folder = mkdtempSync(join(tmpdir(), "clanxp-scaling-"));
const services = await startServices({ dataDir: folder, log: (line) => process.stderr.write(`${line}\n`) });
try {
  const curve = await measureScaling({
    ...services,
    latencyMs: Number(values.latency),
    batchesPerWorker: Number(values.batches),
    workers: [1, 2, 4],
  });
  const alone = curve[0]?.batchesPerSecond ?? Number.NaN;
  process.stdout.write("| workers | batches/s | times one worker |\n|---|---|---|\n");
  for (const { workers, batchesPerSecond } of curve) {
    process.stdout.write(
      `| ${workers} | ${batchesPerSecond.toFixed(0)} | ${(batchesPerSecond / alone).toFixed(2)} |\n`,
    );
  }
} finally {
  await services.stop();
  rmSync(folder, { recursive: true, force: true });
}
