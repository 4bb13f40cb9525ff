// Runs vitest and counts what it did from its own report, so that no failure is missed: a file that cannot be loaded, a
// set-up that breaks or a vitest that dies counts as one failed test.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../paths.js";

/**
 * @param {{ node: string, args: string[], env?: Record<string, string>, printsAtEnd?: boolean }} options `env`: added to this process's
 *   own; `printsAtEnd`: all in one piece, beside another run
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runTests({ node, args, env, printsAtEnd = false }) {
  const folder = mkdtempSync(join(tmpdir(), "clanxp-report-"));
  const report = join(folder, "report.json");
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const exitCode = await vitest({ node, args: [...reporters, ...args], env, printsAtEnd });
  const { passed, failed } = countsIn(report);
  return { passed, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

/**
 * @param {{ node: string, args: string[], env: Record<string, string> | undefined, printsAtEnd: boolean }} options
 * @returns {Promise<number>}
 */
function vitest({ node, args, env, printsAtEnd }) {
  const main = join(root, "node_modules", "vitest", "vitest.mjs");
  const output = printsAtEnd ? "pipe" : "inherit";
  const child = spawn(node, [main, "run", ...args], {
    cwd: root,
    stdio: ["inherit", output, output],
    env: { ...process.env, ...env },
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text) => (printed += text));
  process.once("exit", () => child.kill());
  return new Promise((resolve) => {
    child.once("error", () => resolve(1));
    child.once("close", (code) => {
      process.stdout.write(printed);
      resolve(code ?? 1);
    });
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
