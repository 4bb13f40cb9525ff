// `npm run test:faults -- --minutes 10 --seed N`: every fault test once, then faults of real processes in seeded order
// until the minutes are up. Ends with a table of what callers knew and what the books say; exit 1 if any promise was
// broken.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runTests } from "./check/run-tests.js";
import { tableOf } from "./check/faults-table.js";
import { cacheDir, root } from "./paths.js";
import { setUp } from "./setup/set-up.js";
import { messageOf } from "./system/message-of.js";

const folder = mkdtempSync(join(tmpdir(), "clanxp-faults-"));
try {
  const options = /** @type {const} */ ({ minutes: { type: "string", default: "10" }, seed: { type: "string" } });
  const { values } = parseArgs({ options });
  const [minutes, seed] = [Number(values.minutes), Number(values.seed ?? Date.now() % 2 ** 31)];
  if (!(minutes > 0) || !Number.isInteger(seed))
    throw new Error("Usage: npm run test:faults -- [--minutes N] [--seed N]");

  const { node } = await setUp({ root, cacheDir, log: (line) => console.error(line) });
  const report = join(folder, "rounds.jsonl");
  Object.assign(process.env, { FAULTS_MINUTES: String(minutes), TEST_SEED: String(seed), FAULTS_REPORT: report });
  const { passed, failed } = await runTests({ node, args: ["test/faults", "--no-file-parallelism"] });
  const { text, broken } = tableOf(readFileSync(report, "utf8"));
  console.log(`seed ${seed}, ${minutes} minutes\n\n${text}\n\n${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && broken === 0 && passed > 0 ? 0 : 1;
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
