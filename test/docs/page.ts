// A page's fenced blocks, and running its shell blocks as a reader would: in order, in one shell, from the repository's root.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../scripts/npm-start.ts";

export type Block = { language: string; text: string; line: number };
/** A shell block, and the JSON that the page says it prints, where it says so. */
export type Step = { page: string; line: number; command: string; answer: unknown };

/** A block of commands for Docker Compose. */
export const COMPOSE = /\bdocker compose /;

/** Commands that do not end by themselves, or would run this test: each with what is done instead, and why. */
export const special: readonly { command: RegExp; instead: (command: string) => string }[] = [
  // It runs already: the test has started it, for this page alone.
  { command: /^npm start$/, instead: () => "true" },
  // This test is a part of it.
  { command: /^npm test$/, instead: () => "true" },
  // test/clients/typescript does it in a folder of its own, and tries what comes of it.
  { command: /^\(cd clients\/typescript && npm ci && npm pack\)$/, instead: () => "true" },
  // test/containers/compose.test.ts runs them all, where a Docker engine answers.
  { command: COMPOSE, instead: () => "true" },
  // Processes that run until they are told to stop: they must come up, and end with 0 when told.
  { command: /^[A-Z_=0-9 ]*npm run api$/, instead: (command) => upAndDown(command, "api.listening") },
  { command: /^[A-Z_=0-9 ]*npm run worker$/, instead: (command) => upAndDown(command, "worker.started") },
];

/** What a user reads: the README first, then every page under docs/ but decisions, the quick start first. */
export const pages: readonly string[] = [
  "README.md",
  "docs/quick-start.md",
  ...globSync("docs/{,concepts/,reference/,how-to/,explanation/,contributing/}*.md", { cwd: root })
    .filter((page) => page !== "docs/quick-start.md")
    .toSorted(),
];

export function pagesWithCommands(): string[] {
  return pages.filter((page) => stepsOf(page).length > 0);
}

export function readPage(page: string): string {
  return readFileSync(join(root, page), "utf8");
}

export function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(({ 1: language = "", 2: inner = "", index }) => ({
    language,
    text: inner.trimEnd(),
    line: text.slice(0, index).split("\n").length,
  }));
}

export function stepsOf(page: string): Step[] {
  const blocks = blocksOf(readPage(page));
  return blocks.flatMap(({ language, text, line }, index) => {
    if (language !== "sh") return [];
    const next = blocks[index + 1];
    return [{ page, line, command: text, answer: next?.language === "json" ? (JSON.parse(next.text) as unknown) : undefined }];
  });
}

const STEP_ENDED = "\u001e";

/** What each step printed. Throws at the first that fails, with where it stands and what it said. `rules`: what is done instead. */
export async function runSteps(steps: readonly Step[], env: Record<string, string>, rules = special): Promise<string[]> {
  const script = steps.map((step) => `${runnable(step.command, rules)}\nprintf '${STEP_ENDED}'`).join("\n");
  const shell = spawn("bash", ["-eu", "-o", "pipefail", "-c", script], { cwd: root, env: { ...process.env, ...env } });
  let stdout = "";
  let stderr = "";
  shell.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  shell.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const [code] = (await once(shell, "close")) as [number];
  const printed = stdout.split(STEP_ENDED);
  const failed = steps[printed.length - 1];
  if (code === 0 && !failed) return printed.slice(0, -1);
  throw new Error(`${failed?.page}:${failed?.line} exits ${code}\n${failed?.command}\n${printed.at(-1)}\n${stderr}`);
}

function runnable(command: string, rules: typeof special): string {
  const rule = rules.find((candidate) => candidate.command.test(command));
  return rule ? rule.instead(command) : command;
}

function upAndDown(command: string, event: string): string {
  const assignments = command.replace(/npm run \w+$/, "").trim();
  const npm = command.slice(assignments.length).trim();
  return `
    log="$(mktemp)"
    env ${assignments} ${npm} > "$log" 2>&1 & process=$!
    until grep -q '"${event}"' "$log"; do kill -0 "$process" || { cat "$log"; exit 1; }; sleep 0.1; done
    kill -TERM "$process"
    wait "$process"
    rm "$log"`;
}

/** Values that differ from run to run: alike when they are of one kind. */
const kinds = [/^awd_[\w-]{24}$/, /^bat_[0-9a-z]{25}$/, /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/, /^[0-9A-Za-z]{16}$/, /^Wy[\w-]+$/];

/** `expected` with every value that only differs as runs do replaced by what came, so that the two can be compared whole. */
export function asCame(expected: unknown, actual: unknown): unknown {
  if (typeof expected === "string" && typeof actual === "string") {
    return kinds.some((kind) => kind.test(expected) && kind.test(actual)) ? actual : expected;
  }
  if (Array.isArray(expected)) return expected.map((item, index) => asCame(item, Array.isArray(actual) ? actual[index] : undefined));
  if (typeof expected !== "object" || expected === null) return expected;
  return Object.fromEntries(
    Object.entries(expected).map(([name, value]) => [
      name,
      asCame(value, typeof actual === "object" && actual !== null ? Reflect.get(actual, name) : undefined),
    ]),
  );
}
