// Rows of cells, the first of them headings, as a table in Markdown.
export function markdownTable([headings = [], ...rows]: readonly string[][]): string {
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [row(headings), `|${headings.map(() => "---").join("|")}|`, ...rows.map(row)].join("\n");
}
