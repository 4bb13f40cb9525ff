// Text for people: columns, aligned, without colors, one line per row whatever the cells contain; and the examples of a
// help text.

/** Rows under a header; numbers are easier to compare when aligned to the right. */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  rightAligned: readonly string[] = [],
): string {
  const lines = [header, ...rows].map((row) => row.map(oneLine));
  const widths = header.map((_, column) => Math.max(...lines.map((line) => [...(line[column] ?? "")].length)));
  const isRight = header.map((title) => rightAligned.includes(title));
  return lines
    .map((line) =>
      line
        .map((cell, column) => padded(cell, widths[column] ?? 0, isRight[column] ?? false))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** A row whose later ones are not known yet, under columns of at least these widths. */
export function tableRow(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, column) => oneLine(cell).padEnd(widths[column] ?? 0))
    .join("  ")
    .trimEnd();
}

/** One fact per line. */
export function facts(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${oneLine(value)}`.trimEnd()).join("\n");
}

/** Stored text must not control the terminal. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}/gu, "\u{FFFD}");
}

function padded(cell: string, width: number, right: boolean): string {
  const space = " ".repeat(width - [...cell].length);
  return right ? space + cell : cell + space;
}

/** The command, and under it what it does. */
export function examples(lines: readonly (readonly [string, string])[]): string {
  return ["", "Examples:", ...lines.map(([command, effect]) => `  ${command}\n      ${effect}`)].join("\n");
}
