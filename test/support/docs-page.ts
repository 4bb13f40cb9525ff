// A page's fenced blocks, and running its shell blocks as a reader would: in order, in one shell, from the repository's
// root.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { root } from "../../scripts/paths.js";

export type Block = { language: string; text: string; line: number };
/** A shell block, and the JSON that the page says it prints, where it says so. `program`: the same in TypeScript. */
export type Step = { page: string; line: number; command: string; answer: unknown; program?: string };

/** A block of commands for Docker Compose. */
export const COMPOSE = /\bdocker compose /;

/** Commands that do not end by themselves, or would run this test: each with what is done instead, and why. */
export const special: readonly { command: RegExp; instead: (command: string) => string }[] = [
  // It runs already: the test has started it, for this page alone.
  { command: /^npm start$/, instead: () => "true" },
  // This test is a part of it.
  { command: /^npm (?:test|run test:long)$/, instead: () => "true" },
  // test/clients/typescript does it in another folder, and tests the result.
  { command: /^\(cd clients\/typescript && npm ci && npm pack\)$/, instead: () => "true" },
  // test/containers/compose.test.ts runs them all, where a Docker engine answers.
  { command: COMPOSE, instead: () => "true" },
  // Processes that run until they are stopped: they must become ready, and exit with code 0.
  { command: /^[A-Z_=0-9 ]*npm run api$/, instead: (command) => upAndDown(command, "api.listening") },
  { command: /^[A-Z_=0-9 ]*npm run worker$/, instead: (command) => upAndDown(command, "worker.started") },
  { command: /^[A-Z_=0-9 ]*npm run notifier$/, instead: (command) => upAndDown(command, "notifier.started") },
  { command: /^[A-Z_=0-9 ]*npm run dashboard$/, instead: (command) => upAndDown(command, "dashboard.listening") },
];

/** What a user reads: the README first, then every page under docs/ but decisions, the quick start first. */
export const pages: readonly string[] = [
  "README.md",
  "docs/quick-start.md",
  ...globSync("docs/{,concepts/,reference/,reference/api/,how-to/,explanation/,contributing/}*.md", { cwd: root })
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

/** The languages that the documentation site shows as tabs beside a shell block. */
const TABS: ReadonlySet<string> = new Set(["js", "lua", "csharp", "gdscript"]);

export function stepsOf(page: string): Step[] {
  const blocks = blocksOf(readPage(page));
  return blocks.flatMap(({ language, text, line }, index) => {
    if (language !== "sh") return [];
    // The same in other languages may be in between.
    const next = blocks.slice(index + 1).find((block) => !TABS.has(block.language));
    const answer = next?.language === "json" ? (JSON.parse(next.text) as unknown) : undefined;
    const program = tabsAfter(blocks, index).find((tab) => tab.language === "js")?.text;
    return [{ page, line, command: text, answer, ...(program === undefined ? {} : { program }) }];
  });
}

/** The blocks that the site shows as tabs beside this one: nothing but an empty line is between them. */
export function tabsAfter(blocks: readonly Block[], index: number): Block[] {
  const [block, next] = [blocks[index], blocks[index + 1]];
  if (!block || !next || !TABS.has(next.language)) return [];
  const endsAt = block.line + block.text.split("\n").length + 1;
  return next.line === endsAt + 2 ? [next, ...tabsAfter(blocks, index + 1)] : [];
}

/** The one answer that may be behind, by 1 s: a list of members. Asking again changes nothing. */
const LIST_OF_MEMBERS = /^curl -s "[^"]*\/members\?[^"]*" -H "[^"]*"$/;
const SETTLED_MS = 20_000;
const STEP_ENDED = "\u001e";

/**
 * What each step printed. Throws at the first that fails, with its position and output. `rules`: what is done instead.
 * A list of members is read again until it equals the one on the page, for a bounded time. `prelude`: what the shell
 * runs first.
 */
export async function runSteps(
  steps: readonly Step[],
  env: Record<string, string>,
  {
    rules = special,
    settledMs = SETTLED_MS,
    prelude = ":",
  }: { rules?: typeof special; settledMs?: number; prelude?: string } = {},
): Promise<string[]> {
  const shell = openShell(env);
  await shell.run(prelude);
  const printed: string[] = [];
  for (const step of steps) {
    const command = runnable(step.command, rules);
    const endsAt = performance.now() + settledMs;
    let text = await shell.run(command);
    while (
      text !== null &&
      !isAsPrinted(step, text) &&
      LIST_OF_MEMBERS.test(step.command) &&
      performance.now() < endsAt
    ) {
      text = await shell.run(command);
    }
    if (text === null)
      throw new Error(`${step.page}:${step.line} ${await shell.failure()}\n${step.command}\n${shell.output()}`);
    printed.push(text);
  }
  await shell.end();
  return printed;
}

/** Whether this is the answer that the page prints behind the step, or the page prints none. */
function isAsPrinted({ answer }: Step, text: string): boolean {
  if (answer === undefined) return true;
  const came: unknown = JSON.parse(text);
  return isDeepStrictEqual(came, asCame(answer, came));
}

type Shell = {
  /** What the command prints; null where the shell ended in it. */
  run(command: string): Promise<string | null>;
  /** Why the shell ended, and what it had printed since the last command that succeeded. */
  failure(): Promise<string>;
  output(): string;
  end(): Promise<void>;
};

/** One shell for all steps: it reads one at a time, and what a step runs cannot read the next. */
function openShell(env: Record<string, string>): Shell {
  const shell = spawn("bash", ["-eu", "-o", "pipefail", "-s"], { cwd: root, env: { ...process.env, ...env } });
  const closed = once(shell, "close") as Promise<[number | null]>;
  let [stdout, stderr] = ["", ""];
  let onText = (): void => {};
  shell.stdin.on("error", () => {}); // It has ended; the reason is in `failure`.
  shell.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  shell.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    onText();
  });
  return {
    async run(command) {
      const ended = new Promise<void>((resolve) => {
        onText = () => stdout.includes(STEP_ENDED) && resolve();
      });
      shell.stdin.write(`{\n${command}\n} < /dev/null\nprintf '${STEP_ENDED}'\n`);
      await Promise.race([ended, closed]);
      const end = stdout.indexOf(STEP_ENDED);
      if (end === -1) return null;
      const text = stdout.slice(0, end);
      stdout = stdout.slice(end + 1);
      return text;
    },
    failure: async () => `exits ${(await closed)[0]}`,
    output: () => `${stdout}\n${stderr}`,
    async end() {
      shell.stdin.end();
      await closed;
    },
  };
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
const kinds = [
  /^awd_[\w-]{24}$/,
  /^evt_[\w-]{16}$/,
  /^(bat|rev)_[0-9a-z]{25}$/,
  /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/,
  /^[0-9A-Za-z]{16}$/,
  /^Wy[\w-]+$/,
];

/**
 * `expected` with every value that only differs as runs do replaced by what came, so that the two can be compared
 * whole.
 */
export function asCame(expected: unknown, actual: unknown): unknown {
  if (typeof expected === "string" && typeof actual === "string") {
    return kinds.some((kind) => kind.test(expected) && kind.test(actual)) ? actual : expected;
  }
  if (Array.isArray(expected))
    return expected.map((item, index) => asCame(item, Array.isArray(actual) ? actual[index] : undefined));
  if (typeof expected !== "object" || expected === null) return expected;
  return Object.fromEntries(
    Object.entries(expected).map(([name, value]) => [
      name,
      asCame(value, typeof actual === "object" && actual !== null ? Reflect.get(actual, name) : undefined),
    ]),
  );
}
