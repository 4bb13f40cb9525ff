// Text for people: columns, aligned, without colors, one line per row whatever the cells contain; and the examples of a
// help text.
import { isolated } from "#domain/isolated.ts";

/** Rows under a header; numbers are easier to compare when aligned to the right. */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  rightAligned: readonly string[] = [],
): string {
  const lines = [header, ...rows].map((row) => row.map(oneLine));
  const widths = header.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ""))));
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

/** Stored text must neither control the terminal nor turn the rest of its line. */
function oneLine(text: string): string {
  return isolated(text.replace(/\p{Cc}/gu, "\u{FFFD}"));
}

/** Without the characters that isolate it, which are not visible. */
function widthOf(cell: string): number {
  return [...cell.replaceAll(/[\u2068\u2069]/g, "")].length;
}

function padded(cell: string, width: number, right: boolean): string {
  const space = " ".repeat(width - widthOf(cell));
  return right ? space + cell : cell + space;
}

/** `1 failure`, `2 failures`. */
export function numberOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The command, and under it what it does. */
export function examples(lines: readonly (readonly [string, string])[]): string {
  return ["", "Examples:", ...lines.map(([command, effect]) => `  ${command}\n      ${effect}`)].join("\n");
}
