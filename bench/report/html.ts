// The report as one page that needs nothing but itself: the targets, where the time went, and plots of each comparison.
import type { Readings } from "../schedule.ts";
import type { Result } from "../run-bench.ts";
import type { Target } from "../target.ts";
import { targets } from "../targets.ts";
import { latencyPlot, throughputPlot, type Series } from "./plots.ts";
import { machineLines, rowsOf } from "./table.ts";

const STYLE = `
  :root { color-scheme: light dark; --text: #1c2126; --soft: #5b6570; --line: #d9dee3; --back: #fff; --ours: #1f5fbf;
    --reference: #b4540a; --bad: #b3261e; --good: #1b6e3c; }
  @media (prefers-color-scheme: dark) {
    :root { --text: #e6e9ec; --soft: #9aa4ae; --line: #343b42; --back: #15181b; --ours: #7fb2ff; --reference: #f0a35e;
      --bad: #ff8a80; --good: #7ed6a0; }
  }
  body { margin: 2rem auto; max-width: 66rem; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif;
    color: var(--text); background: var(--back); }
  h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; } h3 { font-size: 1rem;
    margin: 1.5rem 0 0.25rem; }
  .scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
  th, td { text-align: left; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid var(--line);
    white-space: nowrap; }
  th { color: var(--soft); font-weight: 500; } .MISSED { color: var(--bad); font-weight: 600; } .reached, .met {
    color: var(--good); }
  .pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1rem; } svg { width: 100%;
    height: auto; }
  .grid line { stroke: var(--line); } .grid text { fill: var(--soft); font-size: 11px; }
  polyline { fill: none; stroke: currentColor; stroke-width: 2; stroke-linejoin: round; } circle { fill: currentColor;
    } .hit { opacity: 0; }
  .ours { color: var(--ours); } .reference { color: var(--reference); } p.key span { margin-right: 1.25rem; }
    p.key span::before { content: "■ "; }`;

export function htmlOf(result: Result): string {
  const { targetRows, subjectRows } = rowsOf(result);
  const skipped = result.skipped.map(({ id, title }) => `<p>${escaped(`${id}: ${title} was not measured here.`)}</p>`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Clan XP, measured</title>
<style>${STYLE}
</style>
<h1>Clan XP, measured</h1>
${machineLines(result)
  .map((line) => `<p>${escaped(line)}</p>`)
  .join("\n")}
<h2>Targets</h2>
${table(targetRows)}
${skipped.join("\n")}
<h2>Where the time goes</h2>
<p>Medians of the rounds. CPU is in µs for one award, in each process that took part.</p>
${table(subjectRows)}
<h2>Side by side</h2>
<p>Left: awards acknowledged per second over time. Right: latency, the median of the rounds at each percentile.</p>
${targets.map((target) => comparison(target, result)).join("\n")}
</html>
`;
}

function comparison(target: Target, { lines, readings }: Result): string {
  if (!lines.some(({ id, title }) => id === target.id && title === target.title)) return "";
  const { ours, reference } = target;
  const series: Series[] = [seriesOf("ours", ours, readings), seriesOf("reference", reference, readings)];
  const key = series.map(({ css, name }) => `<span class="${css}">${escaped(name)}</span>`).join("");
  return `<h3>${escaped(`${target.id}: ${target.title}`)}</h3>
<p class="key">${key}</p>
<div class="pair">${throughputPlot(series)}${latencyPlot(series)}</div>`;
}

function seriesOf(css: Series["css"], name: Target["ours"], readings: Readings): Series {
  return { css, name, readings: readings[name] ?? [] };
}

function table([headings = [], ...rows]: readonly string[][]): string {
  const cells = (tag: string, row: readonly string[]): string =>
    `<tr>${row.map((cell) => `<${tag}${/^(?:MISSED|met|reached)/.test(cell) ? ` class="${cell.split(" ")[0]}"` : ""}>${escaped(cell)}</${tag}>`).join("")}</tr>`;
  return `<div class="scroll"><table>${cells("th", headings)}${rows.map((row) => cells("td", row)).join("")}</table></div>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
