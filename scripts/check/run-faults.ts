// `npm run test:faults -- --minutes 10 --seed N`: every fault test once, then faults of real processes in seeded order
// until the minutes are up; with several seeds, one run after the other. Prints a table that compares the responses to
// callers with the ledger; exit code 1 if any guarantee was violated.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runTests } from "./run-tests.ts";
import { tableOf } from "./faults-table.ts";
import { messageOf } from "../system/message-of.js";

const folder = mkdtempSync(join(tmpdir(), "clanxp-faults-"));
try {
  const options = {
    minutes: { type: "string", default: "10" },
    seed: { type: "string", multiple: true },
  } as const;
  const { values } = parseArgs({ options });
  const minutes = Number(values.minutes);
  const seeds = values.seed?.map(Number) ?? [Date.now() % 2 ** 31];
  if (!(minutes > 0) || !seeds.every(Number.isInteger))
    throw new Error("Usage: npm run test:faults -- [--minutes N] [--seed N]…");

  const runs = [];
  for (const seed of seeds) {
    const report = join(folder, `${seed}.jsonl`);
    Object.assign(process.env, { FAULTS_MINUTES: String(minutes), TEST_SEED: String(seed), FAULTS_REPORT: report });
    const { passed, failed } = await runTests({ args: ["test/faults", "--no-file-parallelism"] });
    runs.push({ seed, passed, failed, lines: readFileSync(report, "utf8") });
  }
  const { text, broken } = tableOf(runs);
  const counts = runs.map(
    ({ seed, passed, failed }) => `seed ${seed}, ${minutes} minutes: ${passed} passed, ${failed} failed`,
  );
  console.log(`${text}\n\n${counts.join("\n")}`);
  process.exitCode = broken === 0 && runs.every(({ passed, failed }) => failed === 0 && passed > 0) ? 0 : 1;
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
