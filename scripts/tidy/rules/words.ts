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

const BANNED: { words: RegExp; say: string; contributorsToo?: boolean }[] = [
  { words: /\baway\b/i, say: "unavailable, unreachable" },
  { words: /\b(?:tells?|told)\b/i, say: "returns, reports, logs" },
  { words: /\bmend(?:s|ed|ing)?\b|\bmake good\b|\bmade good\b/i, say: "fix, recover" },
  { words: /\brefus(?:e|es|ed|ing|als?)\b/i, say: "reject, error" },
  { words: /\b(?:a|an|the|each|every) repeats?\b/i, say: "retry" },
  { words: /\bstands?\b(?!-)|\bis kept\b|\bare kept\b/i, say: "is stored, is listed" },
  { words: /\b(?:is|are) there\b(?! (?:a|an|any|no)\b)/i, say: "exists, is available" },
  { words: /\binstants?\b/i, say: "timestamp" },
  { words: /\bpromis(?:e|es|ed)\b/i, say: "guarantee" },
  { words: /\b(?:the|prove) books\b/i, say: "the ledger" },
  { words: /\bteach(?:es)?\b/i, say: "show" },
  { words: /\bof late\b/i, say: "recently" },
  { words: /\bat once\b/i, say: "immediately, or at the same time", contributorsToo: false },
  { words: /\bwhoever\b/i, say: "the caller, a process, everyone who" },
  { words: /\bheed(?:s|ed|ing)?\b/i, say: "applies, is supported" },
  { words: /\bsweeps?\b/i, say: "recovery scan", contributorsToo: false },
  { words: /\bwires?\b/i, say: "connection, network", contributorsToo: false },
  { words: /\bma(?:kes?|de) way\b|\bright of way\b/i, say: "yields, throttled" },
  { words: /\bthe same again\b/i, say: "idempotent retry" },
  { words: /\bby hand\b/i, say: "manually" },
  { words: /\bends? with \d\b/i, say: "exits with code …" },
  { words: /\blone award\b/i, say: "single request" },
  { words: /\bflights?\b/i, say: "commit group", contributorsToo: false },
  { words: /\broads?\b/i, say: "path" },
  { words: /\bof (?:its|their|your|one's) own\b/i, say: "its own, dedicated" },
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
      const said = lines.flatMap((line, index) => findings(file.path, line, index + 1));
      return isSource ? [...said, ...commented(file)] : said;
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
/** Names of types in comments. */
const TYPES = /\b(?:Promise|Refusal)\b/g;

/** The comments of a source, for contributors, who know the names of the parts of the code. */
function commented({ path, lines }: File) {
  return lines.flatMap((line, index) => {
    const [, ...groups] = COMMENT.exec(line) ?? [];
    const comment = (groups.find((group) => group !== undefined) ?? "").split("*/")[0] ?? "";
    const said = comment.replaceAll(/`[^`]*`/g, "").replaceAll(TYPES, "");
    return findings(path, said, index + 1, COMMENT_WORDS);
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
  return banned.flatMap(({ words: pattern, say }) => {
    const found = pattern.exec(text)?.[0];
    return found === undefined ? [] : [{ rule: RULE, file, line, message: `says "${found}": ${say}` }];
  });
}
