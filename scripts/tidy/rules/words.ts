// Pages, alerts, comments, the texts that programs print, return and log, and identifiers use the field's standard
// terms: one word for each thing, and no personified servers. Code between backticks is not checked, nor are released
// sections of the changelog.

import type { File, Finding, Tree } from "../read-tree.ts";

const RULE = "words";
const PAGES = [
  /^(?:README|ARCHITECTURE|CONTRIBUTING|CHANGELOG|SECURITY|CODE_OF_CONDUCT)\.md$/,
  /^docs\/.*\.md$/,
  /^deploy\/.*\.(?:ya?ml|txt|cfg|js)$/,
  /^\.github\/.*\.ya?ml$/,
  /^(?:docker-compose\.yml|Dockerfile)$/,
];
/**
 * Texts for callers, operators and clan owners are every string with a space, the names of log events and metrics, and
 * markup. Comments are for contributors.
 */
const SOURCES = /^(?:apps|libs|scripts)\/.*\.(?:tsx?|js)$/;
/** Of tests, only the comments are checked: their names and data quote what they test. */
const TESTS = /^test\/.*\.ts$/;
/** Of configuration, only the comments are checked. */
const CONFIGURATION =
  /^(?:\.oxlintrc\.json|\.npmrc|\.(?:git|docker)ignore|\.ci\/run|vitest[\w.]*\.ts)$|^deploy\/.*(?:\.(?:conf|map|sh|tpl)|Caddyfile)$/;
/** Pages for contributors, who know the names of the parts of the code. */
const CONTRIBUTORS = /^(?:ARCHITECTURE|CONTRIBUTING)\.md$|^docs\/(?:contributing|decisions)\//;
const RELEASED = /^## \d/;

type Banned = { words: RegExp; instead: string };

const BANNED: (Banned & { contributorsToo?: boolean })[] = [
  { words: /\baway\b/i, instead: "unavailable, unreachable" },
  { words: /\b(?:tells?|told)\b/i, instead: "returns, reports, logs" },
  { words: /\bmend(?:s|ed|ing)?\b|\bmake good\b|\bmade good\b/i, instead: "fix, recover" },
  { words: /\brefus(?:e|es|ed|ing|als?)\b/i, instead: "reject, error" },
  { words: /\b(?:a|an|the|each|every) repeats?\b/i, instead: "retry" },
  { words: /\bstands?\b(?!-)|\bis kept\b|\bare kept\b/i, instead: "is stored, is listed" },
  { words: /\b(?:is|are) there\b(?! (?:a|an|any|no)\b)/i, instead: "exists, is available" },
  { words: /\binstants?\b/i, instead: "timestamp" },
  { words: /\bpromis(?:e|es|ed)\b/i, instead: "guarantee" },
  { words: /\b(?:the|prove) books\b/i, instead: "the ledger" },
  { words: /\bteach(?:es)?\b/i, instead: "show" },
  { words: /\bof late\b/i, instead: "recently" },
  { words: /\bat once\b/i, instead: "immediately, or at the same time", contributorsToo: false },
  { words: /\bwhoever\b/i, instead: "the caller, a process, everyone who" },
  { words: /\bheed(?:s|ed|ing)?\b/i, instead: "applies, is supported" },
  { words: /\bsweeps?\b/i, instead: "recovery scan", contributorsToo: false },
  { words: /\bwires?\b/i, instead: "connection, network", contributorsToo: false },
  { words: /\bma(?:kes?|de) way\b|\bright of way\b/i, instead: "yields, throttled" },
  { words: /\bthe same again\b/i, instead: "idempotent retry" },
  // The overview has the label "By hand".
  { words: /\bby hand\b/, instead: "manually" },
  { words: /\bends? with \d\b/i, instead: "exits with code …" },
  { words: /\blone award\b/i, instead: "single request" },
  { words: /(?<!\bin[ -])\bflights?\b/i, instead: "commit group" },
  { words: /\broads?\b/i, instead: "path" },
  { words: /\bof (?:its|their|your|one's) own\b/i, instead: "its own, dedicated" },
];

const CONTRIBUTORS_WORDS = BANNED.filter(({ contributorsToo = true }) => contributorsToo);

/** Words of identifiers. Tests have worlds, and quote other products' terms. */
const BANNED_IDENTIFIERS: (Banned & { testsToo?: boolean })[] = [
  { words: /\bworlds?\b/, instead: "deps", testsToo: false },
  { words: /(?<!\bin )\bflights?\b/, instead: "group" },
  { words: /\b(?:told|tells?)\b/, instead: "returned, reported, logged" },
  { words: /\bmend(?:s|ed)?\b/, instead: "fix, recover" },
  { words: /\bpassengers?\b/, instead: "pending award" },
  { words: /\bbatchers?\b/, instead: "committer", testsToo: false },
  { words: /\b(?:repository|dao)\b/, instead: "store", testsToo: false },
  { words: /\b(?:helpers?|utils?)\b/, instead: "a name that says what it does" },
  // Discord's word for a server, in its ids.
  { words: /\b(?:guild(?! id)|tenant)s?\b/, instead: "clan", testsToo: false },
  { words: /\bmutex\b/, instead: "lock" },
];

export function words(tree: Tree): Finding[] {
  return tree.files.flatMap((file) => {
    const { path } = file;
    if (CONFIGURATION.test(path)) return commented(file, /\.(?:json|ts)$/.test(path) ? COMMENT : HASH_COMMENT);
    if (TESTS.test(path)) return [...commented(file), ...identified(file)];
    if (SOURCES.test(path)) return [...inLines(path, texts(file)), ...commented(file), ...identified(file)];
    return PAGES.some((pages) => pages.test(path)) ? inLines(path, prose(file)) : [];
  });
}

const STRING = /"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;
/** Text of a page: behind a tag, or in a line without code. */
const MARKUP = /(?<!=)>([^<>{}=;()]+)|^\s+([A-Za-z][^<>{}=;()]*)$/g;

const LINE_COMMENTS = /\/\*.*?\*\/|\s\/\/ .*$/g;
const REGULAR_EXPRESSION = /(?<=[(,:=] ?)\/(?:[^/\\]|\\.)+\/[a-z]*/g;
/** The start of a template literal that ends on a later line. */
const OPENING = /(?<=(?:^|[\s([{,=:?+>]))`((?:[^`\\]|\\.)*)$/;
const INSERTED = /\$\{[^}]*\}/g;

/** Each line's part of template literals of several lines, and the rest of it, without comments. */
function parted(code: string[]) {
  let isInTemplate = false;
  return code.map((line) => {
    const end = isInTemplate ? line.indexOf("`") : 0;
    if (end < 0) return { template: line, rest: "" };
    const rest = (isInTemplate ? line.slice(end + 1) : line).replaceAll(LINE_COMMENTS, "");
    const opened = OPENING.exec(rest.replaceAll(STRING, '""'))?.[1];
    isInTemplate = opened !== undefined;
    const template = [line.slice(0, end), opened].join(" ").trim();
    return { template, rest: opened === undefined ? rest : rest.slice(0, -opened.length - 1) };
  });
}

/** The texts in each line of a source: its strings, without inserted values, and its markup. */
function texts({ path, code }: File) {
  const pattern = path.endsWith(".tsx") ? new RegExp(`${STRING.source}|${MARKUP.source}`, "g") : STRING;
  return parted(code).map(({ template, rest }) =>
    [template, ...[...rest.matchAll(pattern)].map(([, ...groups]) => groups.find(Boolean) ?? "")]
      .map((text) => text.replaceAll(INSERTED, " "))
      .filter((text) => text.includes(" ") || /^[a-z]+(?:[._][a-z]+)+$/.test(text))
      .map((text) => text.replaceAll(/[._](?=[a-z])/g, " "))
      .join(" | "),
  );
}

/** The words of each line's identifiers, in lower case. */
function identified({ path, code }: File) {
  const isTest = TESTS.test(path);
  const banned = BANNED_IDENTIFIERS.filter(({ testsToo = true }) => testsToo || !isTest);
  const lines = parted(code).map(({ rest }) =>
    rest
      .replaceAll(REGULAR_EXPRESSION, "")
      .replaceAll(STRING, "")
      .replaceAll(/\W+/g, " | ")
      .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
      .replaceAll("_", " ")
      .toLowerCase(),
  );
  return inLines(path, lines, banned);
}

/** A line of a comment block, a doc comment before code, or a comment behind code. */
const COMMENT = /^\s*(?:\/\/|\/\*\*?|\*)(.*)$|\/\*\* (.*?) \*\/|\s\/\/ (.*)$/;
const HASH_COMMENT = /^\s*#(.*)$|\s# (.*)$/;
/** The name of a type in comments. */
const TYPE = /\bPromise\b/g;

/** The comments of a source, for contributors, who know the names of the parts of the code. */
function commented({ path, lines }: File, pattern = COMMENT) {
  return lines.flatMap((line, index) => {
    const [, ...groups] = pattern.exec(line) ?? [];
    const comment = (groups.find((group) => group !== undefined) ?? "").split("*/")[0] ?? "";
    const found = comment.replaceAll(/`[^`]*`/g, "").replaceAll(TYPE, "");
    return findings(path, found, index + 1, BANNED);
  });
}

/** The page's lines without code; lines without prose are empty. */
function prose({ path, lines }: File) {
  const released = path === "CHANGELOG.md" ? lines.findIndex((line) => RELEASED.test(line)) : -1;
  let fenced = false;
  return lines.map((line, index) => {
    if (/^\s*```/.test(line)) fenced = !fenced;
    const isCode = fenced || (path.endsWith(".md") && /^ {4}/.test(line)) || (released >= 0 && index >= released);
    return isCode ? "" : line.replaceAll(/`[^`]*`|\]\([^)]*\)|<!--.*?-->/g, "");
  });
}

function inLines(path: string, lines: string[], banned?: Banned[]) {
  return lines.flatMap((line, index) => findings(path, line, index + 1, banned));
}

function findings(
  file: string,
  text: string,
  line: number,
  banned: Banned[] = CONTRIBUTORS.test(file) ? CONTRIBUTORS_WORDS : BANNED,
) {
  return banned.flatMap(({ words: pattern, instead }) => {
    const found = pattern.exec(text)?.[0];
    return found === undefined ? [] : [{ rule: RULE, file, line, message: `says "${found}": ${instead}` }];
  });
}
