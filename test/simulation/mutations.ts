// Makes each mistake of mutation-list.ts in a copy of the sources: the simulation, or the tests of what no history
// reaches within a thousand, must catch every one. `npm run test:mutations`, or one mistake alone:
// `npm run test:mutations -- "the insert is not ordered"`.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mutatedFiles, type Mutation } from "./mutated-files.ts";
import { MUTATIONS } from "./mutation-list.ts";

const HISTORIES = process.env["SIMULATE_HISTORIES"] ?? "1000";
const root = join(import.meta.dirname, "../..");

function copyWith(mutation: Mutation): string {
  const copy = mkdtempSync(join(tmpdir(), "clanxp-mutation-"));
  for (const part of ["libs", "test/simulation", "test/support", "package.json"]) {
    cpSync(join(root, part), join(copy, part), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  writeFileSync(
    join(copy, "vitest.config.ts"),
    `export default ${JSON.stringify({
      test: {
        include: [mutation.tests ?? "test/simulation/{committer,events,rejections,reversals}.test.ts"],
        testTimeout: 60_000,
        // As in the project's own configuration: vitest's own second is a statement about the machine.
        expect: { poll: { timeout: 25_000 } },
      },
    })};\n`,
  );
  const changed = mutatedFiles(mutation, (file) => readFileSync(join(copy, file), "utf8"));
  for (const [file, text] of changed) writeFileSync(join(copy, file), text);
  return copy;
}

/** What the simulation says of it; null: it noticed nothing. */
function caught(mutation: Mutation): string | null {
  const copy = copyWith(mutation);
  try {
    const vitest = join(copy, "node_modules/vitest/vitest.mjs");
    const env = { ...process.env, SIMULATE_HISTORIES: HISTORIES, NO_COLOR: "1" };
    const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, "run"], {
      cwd: copy,
      env,
      encoding: "utf8",
    });
    if (status === 0) return null;
    const output = `${stdout}${stderr}`;
    const seen =
      /FAIL +(\S+(?:engine|rejections|reversals)\.test\.ts)/.exec(output) ??
      /TEST_SEED=\d+(?= SIMULATE_HISTORIES)/.exec(output) ??
      /\S+ is never settled|assuming an infinite loop/.exec(output);
    if (!seen) throw new Error(`it did not run: ${output}`);
    return seen[0];
  } finally {
    rmSync(copy, { recursive: true });
  }
}

const [only] = process.argv.slice(2);
const chosen = MUTATIONS.filter(({ name }) => only === undefined || name === only);
if (chosen.length === 0) throw new Error(`mutation-list.ts has no mutation with the name: ${only}`);
for (const tests of new Set(chosen.map((mutation) => mutation.tests))) {
  const unchanged = caught({ name: "nothing", patches: [], ...(tests === undefined ? {} : { tests }) });
  if (unchanged !== null) throw new Error(`the simulation fails without any mistake: ${unchanged}`);
}
let missed = 0;
for (const mutation of chosen) {
  const by = caught(mutation);
  if (by === null) missed += 1;
  process.stdout.write(`${by === null ? "MISSED" : "caught"}  ${mutation.name}${by === null ? "" : ` (${by})`}\n`);
}
process.exitCode = missed === 0 ? 0 : 1;
