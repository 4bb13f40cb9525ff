// Whatever a file cites is in the repository: a page of docs/, a decision by its number. A word in capitals with a
// number is a document that nobody else has, unless it is a public standard.

const RULE = "citations";
/** Standards, and words that a number follows for another reason. */
const PUBLIC = new Set(["RFC", "HTTP", "TLS", "ISO", "SHA", "UTF", "AES", "EPYC", "WSL"]);
const DOCUMENT = /\b([A-Z]{3,})(?:,? section)? \d+(?:\.\d+)*\b/g;
const PAGE = /\bdocs\/[a-z0-9/-]+\.md\b/g;
const DECISION = /\bdecisions? (\d{4})\b|\bdocs\/decisions\/(\d{4})\b/g;

/** @type {import("../read-tree.js").Rule} */
export function citations(tree) {
  const decisions = new Set(tree.files.flatMap(({ path }) => /^docs\/decisions\/(\d{4})-/.exec(path)?.[1] ?? []));
  return tree.files
    .filter(({ path }) => /\.(?:ts|js|mjs|ya?ml|cfg|md)$|(?:^|\/)Dockerfile$/.test(path))
    .flatMap((file) =>
      file.lines.flatMap((line, index) =>
        lost(line, isProse(file, index)).map(({ message }) => ({
          rule: RULE,
          file: file.path,
          line: index + 1,
          message,
        })),
      ),
    );

  /**
   * @param {string} line
   * @param {boolean} prose
   */
  function lost(line, prose) {
    const documents = prose
      ? [...line.matchAll(DOCUMENT)].filter(([, name = ""]) => !PUBLIC.has(name)).map(([text]) => text)
      : [];
    const pages = [...line.matchAll(PAGE)].map(([text]) => text).filter((path) => !tree.has(path));
    const numbers = [...line.matchAll(DECISION)]
      .filter(([, a, b]) => !decisions.has(a ?? b ?? ""))
      .map(([text]) => text);
    return [...documents, ...pages, ...numbers].map((text) => ({
      message: `cites ${text}, which is not in the repository`,
    }));
  }
}

/**
 * A comment, or a line of a page.
 * @param {import("../read-tree.js").File} file
 * @param {number} index
 */
function isProse(file, index) {
  return file.path.endsWith(".md") || file.code[index] === "" || /^\s*#/.test(file.lines[index] ?? "");
}
