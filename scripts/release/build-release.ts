// Makes a release from a tag. Nothing is published unless every part was made, and no part is left out without a word:
// each is listed as made, skipped, missing (its tool cannot be had) or failed.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findToolchain } from "../setup/toolchain.js";
import { withLock } from "../system/lock.js";
import { messageOf } from "../system/message-of.js";
import { withProgress } from "../system/progress.js";
import { findTool } from "../tools/find-tool.ts";
import { releaseIn } from "./changelog.ts";
import { faultsOf } from "./check-versions.ts";
import { checkOut, type Checkout } from "./checkout.ts";
import { fileOf, packageNames, packages, versionOf, type PackageName } from "./packages.ts";
import type { Context, Part } from "./part.ts";
import { parts } from "./parts.ts";

const NOTES = "RELEASE-NOTES.md";
const CHECKSUMS = "SHA256SUMS";

export type Asked = {
  /** The repository. */
  root: string;
  cacheDir: string;
  tag: string;
  /** The folder for the files. It is empty, or does not exist. */
  out: string;
  /** Names of parts. Those that the tag does not release are ignored, so that all tags can have the same settings. */
  skip: string[];
  publish: string[];
  env: NodeJS.ProcessEnv;
  log: (line: string) => void;
};

export type Result = {
  part: string;
  status: "made" | "skipped" | "missing" | "failed";
  files: string[];
  note?: string;
  reason?: string;
  published?: string;
};

export type Release = { tag: string; commit: string; results: Result[] };

/** Throws, before anything is made, if the tag cannot be released as asked. */
export async function buildRelease(asked: Asked): Promise<Release> {
  const { root, cacheDir, tag, out, log } = asked;
  const { name, version } = parseTag(tag);
  if (existsSync(out) && readdirSync(out).length > 0)
    throw new Error(`${out} is not empty. Delete it, or choose another folder with --out.`);

  const source = temporary(cacheDir);
  try {
    const checkout = await checkOut({ root, tag, source: source.folder });
    // A tag of a client releases this client, and a tag of the service everything.
    const own = Object.entries(parts).filter(([, part]) => name === "service" || part.of === name);
    const wanted = own.filter(([part]) => !asked.skip.includes(part));
    const context = await contextOf(asked, checkout, { name, version });
    checkContent(context, tag, [name, ...wanted.map(([, part]) => part.of)]);
    const published = asked.publish.filter((part) => own.some(([each]) => each === part));
    await checkPublication(asked, published, wanted);

    mkdirSync(out, { recursive: true });
    const results = new Map<string, Result>();
    for (const [part] of own) results.set(part, { part, status: "skipped", files: [] });
    for (const [part, { make }] of wanted)
      results.set(part, await withProgress(log, `making ${part}`, resultOf(part, make(context))));
    writeNotes(context, name, tag);
    writeChecksums(out);
    await publishAll(published, context, results);
    return { tag, commit: checkout.commit, results: [...results.values()] };
  } finally {
    source.remove();
  }
}

function parseTag(tag: string) {
  for (const name of packageNames) {
    const prefix = packages[name].tag;
    const version = tag.slice(prefix.length);
    if (tag.startsWith(prefix) && /^\d+\.\d+\.\d+$/.test(version)) return { name, version };
  }
  const examples = packageNames.map((name) => `${packages[name].tag}1.2.3`).join(", ");
  throw new Error(`"${tag}" is not the tag of a release. Tags of releases are: ${examples}.`);
}

/** A folder that is removed even if the command is interrupted. */
function temporary(cacheDir: string) {
  mkdirSync(cacheDir, { recursive: true });
  const folder = mkdtempSync(join(cacheDir, "release-"));
  const removeNow = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeNow);
  const remove = () => {
    process.off("exit", removeNow);
    removeNow();
  };
  return { folder, remove };
}

async function contextOf(
  { cacheDir, out, env, log }: Asked,
  checkout: Checkout,
  tagged: { name: PackageName; version: string },
): Promise<Context> {
  const read = readIn(checkout);
  const versions = {
    service: versionOf("service", read),
    luau: versionOf("luau", read),
    typescript: versionOf("typescript", read),
    [tagged.name]: tagged.version,
  };
  const { npm } = await findToolchain({ cacheDir, log });
  const tool: Context["tool"] = async (each) => {
    const present = await findTool(each, { cacheDir, mayFetch: false, log });
    if ("value" in present) return present;
    const fetching = () => findTool(each, { cacheDir, mayFetch: true, log });
    return withLock(join(cacheDir, "tools.lock"), log, fetching);
  };
  return { ...checkout, out, versions, env, tool, npmCli: npm, log };
}

function readIn({ source }: Checkout) {
  return (file: string) => readFileSync(join(source, file), "utf8");
}

function checkContent(context: Context, tag: string, names: PackageName[]) {
  const faults = [...new Set(names)].flatMap((name) => faultsOf(name, context.versions[name], readIn(context)));
  if (faults.length > 0) throw new Error([`${tag} cannot be released:`, ...faults].join("\n  "));
}

async function checkPublication({ env }: Asked, published: string[], wanted: [string, Part][]) {
  const faults: string[] = [];
  for (const name of published) {
    const [, part] = wanted.find(([each]) => each === name) ?? [];
    if (part === undefined) faults.push(`${name} cannot be both skipped and published.`);
    else if (part.publish === undefined) faults.push(`${name} is not published: attach its files to the release.`);
    for (const setting of part?.settings ?? []) {
      if (!env[setting]) faults.push(`${setting} must name the place where ${name} is published.`);
    }
    const reason = await part?.whyNotPublished?.();
    if (reason !== undefined) faults.push(`${name} cannot be published here: ${reason}.`);
  }
  if (faults.length > 0) throw new Error(["Nothing was made or published:", ...faults].join("\n  "));
}

async function resultOf(part: string, making: ReturnType<Part["make"]>): Promise<Result> {
  try {
    const made = await making;
    return "missing" in made
      ? { part, status: "missing", files: [], reason: made.missing }
      : { part, status: "made", ...made };
  } catch (error) {
    return { part, status: "failed", files: [], reason: messageOf(error) };
  }
}

/** Ends with the first part that cannot be published. */
async function publishAll(published: string[], context: Context, results: Map<string, Result>) {
  const isComplete = [...results.values()].every(({ status }) => status === "made" || status === "skipped");
  if (published.length > 0 && !isComplete) context.log("Nothing was published, because a part could not be made.");
  for (const name of isComplete ? published : []) {
    const [part, result] = [parts[name], results.get(name)];
    if (part?.publish === undefined || result === undefined) continue;
    try {
      const publishing = part.publish(context, result.files);
      result.published = await withProgress(context.log, `publishing ${name}`, publishing);
    } catch (error) {
      result.status = "failed";
      result.reason = `it was made, but could not be published: ${messageOf(error)}`;
      return;
    }
  }
}

/** RELEASE_REPOSITORY is the address of the repository. Relative links of the notes lead nowhere outside of it. */
function writeNotes({ source, out, versions, env }: Context, name: PackageName, tag: string) {
  const changelog = readFileSync(join(source, fileOf(name, "CHANGELOG.md")), "utf8");
  const changes = releaseIn(changelog, versions[name]) ?? "";
  const address = env["RELEASE_REPOSITORY"];
  const folder = `](${address}/blob/${tag}/${fileOf(name, "")}`;
  const notes = address ? changes.replaceAll(/\]\((?![a-z]+:|#)/g, folder) : changes;
  writeFileSync(join(out, NOTES), `${notes}\n`);
}

function writeChecksums(out: string) {
  const lines = readdirSync(out)
    .sort()
    .map(
      (file) =>
        `${createHash("sha256")
          .update(readFileSync(join(out, file)))
          .digest("hex")}  ${file}\n`,
    );
  writeFileSync(join(out, CHECKSUMS), lines.join(""));
}
