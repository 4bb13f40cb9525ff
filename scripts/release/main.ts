// `npm run release`: gives a package its next version, or makes a release from a tag.

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { cacheDir, root } from "../paths.js";
import { exitOnSignal } from "../system/exit-on-signal.js";
import { messageOf } from "../system/message-of.js";
import { buildRelease, type Release, type Result } from "./build-release.ts";
import { packageNames } from "./packages.ts";
import { parts } from "./parts.ts";
import { setVersion } from "./set-version.ts";

const USAGE = `usage: npm run release -- ${packageNames.join("|")} <version>
       npm run release -- build <tag> [options]

The first form sets the version of a package in its manifests and dates its changelog.
The second form makes a release from the files of a tag.

  --out <folder>      where the files are written; must be empty (default: dist/release)
  --skip <parts>      parts that are not made: ${Object.keys(parts).join(", ")}
  --publish <parts>   parts that are published after everything was made; nothing is published by default
  --json              print the result as JSON
  --help              show this text

Several parts are separated by commas.
Exit codes: 0 done; 1 the tag was rejected or a part failed; 2 invalid usage; 3 a tool is missing, and nothing failed.`;

exitOnSignal();
try {
  process.exitCode = await main();
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}

async function main(): Promise<number> {
  const asked = parsed();
  if ("fault" in asked) return usage(asked.fault);
  const { values, positionals } = asked;
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const [command, subject, ...rest] = positionals;
  if (command === undefined || subject === undefined || rest.length > 0) return usage("Two arguments are required.");
  if (command !== "build") return changeVersion(command, subject);

  const [skip, publish] = [listOf(values.skip), listOf(values.publish)];
  const unknown = [...skip, ...publish].find((part) => !(part in parts));
  if (unknown !== undefined) return usage(`There is no part "${unknown}".`);
  const out = resolve(values.out);
  const log = (line: string) => console.error(line);
  const release = await buildRelease({ root, cacheDir, tag: subject, out, skip, publish, env: process.env, log });
  console.log(values.json ? JSON.stringify({ ...release, out }, null, 2) : textOf(release, out));
  return exitCodeOf(release);
}

function parsed() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        out: { type: "string", default: "dist/release" },
        skip: { type: "string", default: "" },
        publish: { type: "string", default: "" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return { fault: messageOf(error) };
  }
}

function usage(fault: string) {
  console.error(`${fault}\n${USAGE}`);
  return 2;
}

function listOf(names: string) {
  return names.split(",").filter((name) => name !== "");
}

function changeVersion(name: string, version: string) {
  const files = setVersion({ root, name, version, today: new Date().toISOString().slice(0, 10) });
  console.log(`${name} ${version}: changed ${files.join(", ")}`);
  return 0;
}

function textOf({ tag, commit, results }: Release, out: string) {
  return [`${tag} (${commit}) in ${out}:`, ...results.map(lineOf)].join("\n");
}

function lineOf({ part, status, files, note, reason, published }: Result) {
  const facts = [files.join(", "), note, reason, published && `published as ${published}`].filter(Boolean);
  return `  ${status.padEnd(8)} ${part.padEnd(6)} ${facts.join("; ")}`.trimEnd();
}

function exitCodeOf({ results }: Release) {
  if (results.some(({ status }) => status === "failed")) return 1;
  return results.some(({ status }) => status === "missing") ? 3 : 0;
}
