// Runs vitest and reads the results from its own report, so that no failure is missed: a crash of vitest counts as one
// failed test.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../paths.js";
import { failureOf } from "./failures.ts";
import type { Failure, Report } from "./failures-reporter.ts";

export type Outcome = { passed: number; failed: number; failures: Failure[] };

/** The failure of the run itself, if no test failed. */
const RUN = "the run itself";
const REPORTER = join(root, "scripts", "check", "failures-reporter.ts");

/** `env` is added to this process's own. What vitest prints goes to `print`, or is printed here. */
export async function runTests({
  args,
  env,
  print,
}: {
  args: string[];
  env?: Record<string, string> | undefined;
  print?: ((text: string) => void) | undefined;
}): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "clanxp-report-"));
  const report = join(folder, "report.json");
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  const reporters = ["--reporter=default", `--reporter=${REPORTER}`];
  const exitCode = await vitest([...reporters, ...args], { print, env: { ...env, TEST_REPORT: report } });
  const { passed, failures } = read(report);
  process.off("exit", remove);
  remove();
  if (exitCode !== 0 && failures.length === 0)
    failures.push(failureOf({ name: RUN, message: `vitest exited with ${exitCode}.` }));
  return { passed, failed: failures.length, failures };
}

function vitest(
  args: string[],
  { print, env }: { print: ((text: string) => void) | undefined; env: Record<string, string> },
): Promise<number> {
  const main = join(root, "node_modules", "vitest", "vitest.mjs");
  const child = spawn(process.execPath, [main, "run", ...args], {
    cwd: root,
    stdio: print ? ["ignore", "pipe", "pipe"] : "inherit",
    env: { ...process.env, ...env },
  });
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", print ?? (() => {}));
  const kill = () => child.kill();
  process.once("exit", kill);
  return new Promise<number>((resolve) => {
    child.once("error", () => resolve(1));
    child.once("close", (code) => resolve(code ?? 1));
  }).finally(() => process.off("exit", kill));
}

function read(report: string): Report {
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return { passed: 0, failures: [failureOf({ name: RUN, message: "vitest ended before it could report." })] };
  }
}
