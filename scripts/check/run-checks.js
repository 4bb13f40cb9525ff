// Every check of the source, as a list. All of them run, also after one has failed, so that one run names all there is to mend.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "../paths.js";
import { run } from "../system/run.js";

const TOOLS = join(root, "node_modules", ".bin");

/** @typedef {{ title: string, command: string, args: string[] }} Check */

/**
 * @param {{ node: string, print: (line: string) => void }} options
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runChecks({ node, print }) {
  const outcomes = await Promise.all(
    checks(node).map(async ({ title, command, args }) => {
      const startedAt = Date.now();
      // The tools begin with "env node", which must be Node 24.
      const env = { PATH: `${TOOLS}${delimiter}${process.env["PATH"]}` };
      const ended = await run(command, args, { cwd: root, env });
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
      print(`${ended.ok ? "ok    " : "FAILED"}  ${title} (${seconds} s)`);
      if (!ended.ok) print(ended.output.trim() || ended.reason);
      return ended.ok;
    }),
  );
  const passed = outcomes.filter(Boolean).length;
  return { passed, failed: outcomes.length - passed };
}

/**
 * @param {string} node
 * @returns {Check[]}
 */
function checks(node) {
  const tidy = join(root, "scripts", "tidy.js");
  return [
    { title: "types (tsc)", command: join(TOOLS, "tsc"), args: ["--noEmit"] },
    {
      title: "lint (oxlint --type-aware)",
      command: join(TOOLS, "oxlint"),
      args: ["--type-aware", "--deny-warnings"],
    },
    { title: "format (oxfmt --check)", command: join(TOOLS, "oxfmt"), args: ["--check"] },
    { title: "unused code (knip)", command: join(TOOLS, "knip"), args: ["--no-progress"] },
    ...(existsSync(tidy) ? [{ title: "house rules (tidy)", command: node, args: [tidy] }] : []),
  ];
}
