// Runs vitest and counts what it did from its own report, so that no failure is missed: a file that cannot be loaded, a set-up
// that breaks or a vitest that dies counts as one failed test.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../paths.js";

/**
 * @param {{ node: string, args: string[], env?: Record<string, string> }} options `env`: added to this process's own
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runTests({ node, args, env }) {
  const folder = mkdtempSync(join(tmpdir(), "clanxp-report-"));
  const report = join(folder, "report.json");
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const exitCode = await vitest(node, ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...args], env);
  const { passed, failed } = countsIn(report);
  return { passed, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

/**
 * @param {string} node
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<number>}
 */
function vitest(node, args, env) {
  const main = join(root, "node_modules", "vitest", "vitest.mjs");
  const child = spawn(node, [main, "run", ...args], { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
  process.once("exit", () => child.kill());
  return new Promise((resolve) => {
    child.once("error", () => resolve(1));
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

/**
 * @param {string} report
 * @returns {{ passed: number, failed: number }}
 */
function countsIn(report) {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
    const brokenFiles = testResults.filter(
      (/** @type {{ status: string, assertionResults: { status: string }[] }} */ file) =>
        file.status === "failed" && !file.assertionResults.some(({ status }) => status === "failed"),
    );
    return { passed: numPassedTests, failed: numFailedTests + brokenFiles.length };
  } catch {
    return { passed: 0, failed: 1 }; // it died before it could report
  }
}
