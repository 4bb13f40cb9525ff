// Makes each mistake of mutation-list.ts in the modules that the simulations import: they, or the tests of what no
// history reaches so soon, must catch every one. `npm run test:mutations`, or one mistake alone:
// `npm run test:mutations -- "the insert is not ordered"`.
import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Mutation } from "./mutated-files.ts";
import { MUTATIONS } from "./mutation-list.ts";

const LEDGER = ["committer", "events", "rejections", "reversals"].map((name) => `test/simulation/${name}.test.ts`);
const root = join(import.meta.dirname, "../..");
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const imports = join(import.meta.dirname, "mutate-imports.ts");

/** What the simulation says of it; null: it noticed nothing. */
async function caught({ name, tests }: Pick<Mutation, "name" | "tests">): Promise<string | null> {
  const env = {
    ...process.env,
    // The same histories in each run, so that the number of one says how many it takes.
    TEST_SEED: process.env["TEST_SEED"] ?? "1",
    SIMULATE_HISTORIES: process.env["SIMULATE_HISTORIES"] ?? (tests ? "500" : "1000"),
    NODE_OPTIONS: `--import=${imports}`,
    MUTATION: name,
    NO_COLOR: "1",
  };
  const args = [vitest, "run", "--root", root, "--config", "test/simulation/vitest.config.ts", ...(tests ?? LEDGER)];
  const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile(process.execPath, args, { env, maxBuffer: 1e9 }, (error, stdout, stderr) =>
      resolve({ code: error?.code, output: `${stdout}${stderr}` }),
    );
  });
  if (code === undefined) return null;
  const seen =
    /FAIL +(\S+(?:catch-up|engine|fake-stores|leases|long-chains|rejections|reversals|roles)\.test\.ts)/.exec(
      output,
    )?.[1] ??
    /TEST_SEED=\d+(?= SIMULATE_HISTORIES)/.exec(output)?.[0] ??
    /\S+ is never settled|assuming an infinite loop/.exec(output)?.[0];
  if (!seen) throw new Error(`${name}: it did not run: ${output}`);
  return seen;
}

const [only] = process.argv.slice(2);
const chosen = MUTATIONS.filter(({ name }) => only === undefined || name === only);
if (chosen.length === 0) throw new Error(`mutation-list.ts has no mutation with the name: ${only}`);
for (const tests of new Set(chosen.map((mutation) => mutation.tests))) {
  const unchanged = await caught({ name: "nothing", ...(tests ? { tests } : {}) });
  if (unchanged !== null) throw new Error(`the simulation fails without any mistake: ${unchanged}`);
}
let missed = 0;
const left = chosen.values();
async function work(): Promise<void> {
  for (const mutation of left) {
    const by = await caught(mutation);
    if (by === null) missed += 1;
    process.stdout.write(`${by === null ? "MISSED" : "caught"}  ${mutation.name}${by === null ? "" : ` (${by})`}\n`);
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
process.exitCode = missed === 0 ? 0 : 1;
