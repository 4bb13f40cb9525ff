// Runs vitest and reads what it did from its own report, so that no failure is missed: a vitest that dies counts as one
// failed test.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../paths.js";
import { failureOf } from "./failure-of.js";

/**
 * @typedef {import("./failures-reporter.js").Failure} Failure
 * @typedef {{ passed: number, failed: number, failures: Failure[] }} Outcome
 */

/** What failed where no test did. */
const RUN = "the run itself";
const REPORTER = join(root, "scripts", "check", "failures-reporter.js");

/**
 * @param {{ node: string, args: string[], env?: Record<string, string>, output?: "inherit" | "ignore" }} options `env`:
 *   added to this process's own
 * @returns {Promise<Outcome>}
 */
export async function runTests({ node, args, env, output = "inherit" }) {
  const folder = mkdtempSync(join(tmpdir(), "clanxp-report-"));
  const report = join(folder, "report.json");
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const reporters = ["--reporter=default", `--reporter=${REPORTER}`];
  const exitCode = await vitest(node, [...reporters, ...args], { output, env: { ...env, TEST_REPORT: report } });
  const { passed, failures } = read(report);
  if (exitCode !== 0 && failures.length === 0)
    failures.push(failureOf({ name: RUN, message: `vitest exited with ${exitCode}.` }));
  return { passed, failed: failures.length, failures };
}

/**
 * @param {string} node
 * @param {string[]} args
 * @param {{ output: "inherit" | "ignore", env: Record<string, string> }} options
 * @returns {Promise<number>}
 */
function vitest(node, args, { output, env }) {
  const main = join(root, "node_modules", "vitest", "vitest.mjs");
  const child = spawn(node, [main, "run", ...args], { cwd: root, stdio: output, env: { ...process.env, ...env } });
  process.once("exit", () => child.kill());
  return new Promise((resolve) => {
    child.once("error", () => resolve(1));
    child.once("close", (code) => resolve(code ?? 1));
  });
}

/**
 * @param {string} report
 * @returns {import("./failures-reporter.js").Report}
 */
function read(report) {
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return { passed: 0, failures: [failureOf({ name: RUN, message: "vitest ended before it could report." })] };
  }
}
