// Pages, alerts, comments, and the texts that programs print, return and log use the field's standard terms: one word
// for each thing, and no personified servers. Code between backticks is not checked, nor are released sections of the
// changelog.

import type { File, Finding, Tree } from "../read-tree.ts";

const RULE = "words";
const PAGES = [
  /^(?:README|ARCHITECTURE|CONTRIBUTING|CHANGELOG)\.md$/,
  /^docs\/.*\.md$/,
  /^deploy\/.*\.(?:ya?ml|txt|cfg|js)$/,
  /^(?:docker-compose\.yml|Dockerfile)$/,
];
/**
 * Texts for callers, operators and clan owners are every string with a space, the names of log events and metrics, and
 * markup. Comments are for contributors.
 */
const SOURCES = /^(?:apps|libs|scripts)\/.*\.(?:tsx?|js)$/;
/** Of tests, only the comments are checked: their names and data quote what they test. */
const TESTS = /^test\/.*\.ts$/;
/** Pages for contributors, who know the names of the parts of the code. */
const CONTRIBUTORS = /^(?:ARCHITECTURE|CONTRIBUTING)\.md$|^docs\/(?:contributing|decisions)\//;
const RELEASED = /^## \d/;

const BANNED: { words: RegExp; instead: string; contributorsToo?: boolean }[] = [
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
  { words: /\bby hand\b/i, instead: "manually" },
  { words: /\bends? with \d\b/i, instead: "exits with code …" },
  { words: /\blone award\b/i, instead: "single request" },
  { words: /\bflights?\b/i, instead: "commit group", contributorsToo: false },
  { words: /\broads?\b/i, instead: "path" },
  { words: /\bof (?:its|their|your|one's) own\b/i, instead: "its own, dedicated" },
];

const CONTRIBUTORS_WORDS = BANNED.filter(({ contributorsToo = true }) => contributorsToo);
/** Contributors know a flight; everything else is banned from comments, too. */
const COMMENT_WORDS = BANNED.filter(({ words: pattern }) => !pattern.test("flight"));

export function words(tree: Tree): Finding[] {
  return tree.files
    .filter(({ path }) => [...PAGES, SOURCES, TESTS].some((files) => files.test(path)))
    .flatMap((file) => {
      if (TESTS.test(file.path)) return commented(file);
      const isSource = SOURCES.test(file.path);
      const lines = isSource ? texts(file) : prose(file);
      const found = lines.flatMap((line, index) => findings(file.path, line, index + 1));
      return isSource ? [...found, ...commented(file)] : found;
    });
}

const STRING = /"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;
/** Text of a page: behind a tag, or in a line without code. */
const MARKUP = /(?<!=)>([^<>{}=;()]+)|^\s+([A-Za-z][^<>{}=;()]*)$/g;

/** The texts in each line of a source: its strings, without inserted values, and its markup. */
function texts({ path, code }: File) {
  const pattern = path.endsWith(".tsx") ? new RegExp(`${STRING.source}|${MARKUP.source}`, "g") : STRING;
  return code.map((line) =>
    [...line.replaceAll(/\/\*.*?\*\/|\s\/\/ .*$/g, "").matchAll(pattern)]
      .map(([, ...groups]) => (groups.find(Boolean) ?? "").replaceAll(/\$\{[^}]*\}/g, " "))
      .filter((text) => text.includes(" ") || /^[a-z]+(?:[._][a-z]+)+$/.test(text))
      .map((text) => text.replaceAll(/[._](?=[a-z])/g, " "))
      .join(" | "),
  );
}

/** A line of a comment block, a doc comment before code, or a comment behind code. */
const COMMENT = /^\s*(?:\/\/|\/\*\*?|\*)(.*)$|\/\*\* (.*?) \*\/|\s\/\/ (.*)$/;
/** The name of a type in comments. */
const TYPE = /\bPromise\b/g;

/** The comments of a source, for contributors, who know the names of the parts of the code. */
function commented({ path, lines }: File) {
  return lines.flatMap((line, index) => {
    const [, ...groups] = COMMENT.exec(line) ?? [];
    const comment = (groups.find((group) => group !== undefined) ?? "").split("*/")[0] ?? "";
    const found = comment.replaceAll(/`[^`]*`/g, "").replaceAll(TYPE, "");
    return findings(path, found, index + 1, COMMENT_WORDS);
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

function findings(
  file: string,
  text: string,
  line: number,
  banned: typeof BANNED = CONTRIBUTORS.test(file) ? CONTRIBUTORS_WORDS : BANNED,
) {
  return banned.flatMap(({ words: pattern, instead }) => {
    const found = pattern.exec(text)?.[0];
    return found === undefined ? [] : [{ rule: RULE, file, line, message: `says "${found}": ${instead}` }];
  });
}
