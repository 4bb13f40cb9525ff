// `npm run test:mutations` still works. The mistakes themselves take minutes, and are made by that command alone.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { root } from "../../scripts/paths.js";

const call = promisify(execFile);
const script = join(root, "test", "simulation", "mutations.ts");
// Every history of a few shows this one.
const NAME = "the insert is not ordered";
const env = { ...process.env, SIMULATE_HISTORIES: "20" };

test("a mistake in the sources is made in a copy and caught", { timeout: 120_000 }, async () => {
  const { stdout } = await call(process.execPath, [script, NAME], { env });
  expect(stdout).toMatch(/^caught {2}the insert is not ordered \(TEST_SEED=\d+\)\n$/);
});

test("a mistake that is not in the list is rejected", async () => {
  await expect(call(process.execPath, [script, "unknown"], { env })).rejects.toThrow(
    "mutation-list.ts has no mutation with the name: unknown",
  );
});
