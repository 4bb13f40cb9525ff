// The result as docs/contributing/benchmarks.md holds it, and the way into a page: between two markers.
import type { Result } from "../run-bench.ts";
import { markdownTable } from "./markdown-table.ts";
import { machineLines, rowsOf } from "./table.ts";

const [BEGIN, END] = ["<!-- bench: begin -->", "<!-- bench: end -->"];

export function markdownOf(result: Result): string {
  const { targetRows, subjectRows } = rowsOf(result);
  return [
    ...machineLines(result).map((line) => `- ${line}`),
    "",
    markdownTable(targetRows),
    ...result.skipped.map(({ id, title }) => `\n${id}, ${title}: not measured on this machine.`),
    "",
    "Where the time goes: CPU in µs for one award, in each process that took part.",
    "",
    markdownTable(subjectRows),
  ].join("\n");
}

/** The page with this result in place of the one it had. */
export function withResult(page: string, markdown: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`the page has no ${BEGIN} and ${END}`);
  return `${page.slice(0, begin)}${BEGIN}\n\n${markdown}\n\n${page.slice(end)}`;
}
