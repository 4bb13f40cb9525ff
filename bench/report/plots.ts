// Plots as inline SVG, coloured by the page's own style so that they follow light and dark.
import { PERCENTILES, type Percentile } from "../load/plan.ts";
import { median } from "../ratio.ts";
import type { Reading } from "../void-run.ts";
import { digits } from "./table.ts";

/** `css`: the class that gives a series its colour. */
export type Series = { name: string; css: "ours" | "reference"; readings: readonly Reading[] };
type Point = { x: number; y: number; title: string };
type Axis = { ticks: { at: number; text: string }[]; title: string };

const [WIDTH, HEIGHT] = [460, 220];
const [LEFT, RIGHT, TOP, BOTTOM] = [56, 10, 10, 36];
const GRID_LINES = 4;

/**
 * Awards per second in each slice of each round, one round after the other; the line breaks where others were measured.
 */
export function throughputPlot(all: readonly Series[]): string {
  const slices = Math.max(
    ...all.map(({ readings }) => readings.reduce((sum, { load }) => sum + load.series.length, 0)),
  );
  const highest = niceAbove(Math.max(...all.flatMap(({ readings }) => readings.flatMap(({ load }) => load.series))));
  const lines = all.flatMap(({ css, name, readings }) => {
    let before = 0;
    return readings.map(({ load }, round) => {
      const points = load.series.map((y, index) => ({
        x: (before + index + 0.5) / slices,
        y: y / highest,
        title: `${name}, round ${round + 1}: ${digits(y)} awards/s`,
      }));
      before += load.series.length;
      return line(css, points);
    });
  });
  const rounds = Math.max(...all.map(({ readings }) => readings.length));
  const ticks = Array.from({ length: rounds }, (_, round) => ({ at: (round + 0.5) / rounds, text: String(round + 1) }));
  return plot(lines, { x: { ticks, title: "round" }, y: { ticks: linear(highest), title: "awards/s" } });
}

/** Median of the rounds at each percentile, in ms on a logarithmic scale. */
export function latencyPlot(all: readonly Series[]): string {
  const at = (readings: readonly Reading[], percentile: Percentile): number =>
    Math.max(0.001, median(readings.map(({ load }) => load.latencyMs[percentile])));
  const values = all.flatMap(({ readings }) => PERCENTILES.map((percentile) => at(readings, percentile)));
  const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)) + 0.01)];
  const place = (index: number): number => (index + 0.5) / PERCENTILES.length;
  const lines = all.map(({ css, name, readings }) =>
    line(
      css,
      PERCENTILES.map((percentile, index) => {
        const ms = at(readings, percentile);
        return {
          x: place(index),
          y: (Math.log10(ms) - low) / (high - low),
          title: `${name}, p${percentile}: ${digits(ms)} ms`,
        };
      }),
      { dots: true },
    ),
  );
  const decades = Array.from({ length: high - low + 1 }, (_, step) => ({
    at: step / (high - low),
    text: String(Number((10 ** (low + step)).toPrecision(1))),
  }));
  const ticks = PERCENTILES.map((percentile, index) => ({
    at: place(index),
    text: percentile === 100 ? "max" : `p${percentile}`,
  }));
  return plot(lines, { x: { ticks, title: "" }, y: { ticks: decades, title: "ms" } });
}

function linear(highest: number): Axis["ticks"] {
  return Array.from({ length: GRID_LINES + 1 }, (_, step) => ({
    at: step / GRID_LINES,
    text: digits((highest * step) / GRID_LINES),
  }));
}

/** The next number that divides well: 1, 2 or 4 times a power of ten. */
function niceAbove(value: number): number {
  if (!(value > 0)) return 1;
  const decade = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 10].find((step) => step * decade >= value) ?? 10) * decade;
}

const across = (share: number): string => (LEFT + share * (WIDTH - LEFT - RIGHT)).toFixed(1);
const up = (share: number): string => (HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)).toFixed(1);

function line(css: string, points: readonly Point[], { dots = false } = {}): string {
  const path = points.map(({ x, y }) => `${across(x)},${up(y)}`).join(" ");
  const shown = points.map(
    ({ x, y, title }) =>
      `<circle class="${dots ? "dot" : "hit"}" cx="${across(x)}" cy="${up(y)}" r="${dots ? 3 : 6}"><title>${title}</title></circle>`,
  );
  return `<g class="${css}"><polyline points="${path}"/>${shown.join("")}</g>`;
}

function plot(lines: readonly string[], { x, y }: { x: Axis; y: Axis }): string {
  const grid = y.ticks.map(
    ({ at, text }) =>
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${up(at)}" y2="${up(at)}"/><text x="${LEFT - 6}" y="${up(at)}" dy="4" text-anchor="end">${text}</text>`,
  );
  const below = x.ticks.map(
    ({ at, text }) => `<text x="${across(at)}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${text}</text>`,
  );
  const titles = `<text x="${across(0.5)}" y="${HEIGHT - 4}" text-anchor="middle">${x.title}</text><text x="12" y="${up(0.5)}" text-anchor="middle" transform="rotate(-90 12 ${up(0.5)})">${y.title}</text>`;
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"><g class="grid">${grid.join("")}${below.join("")}${titles}</g>${lines.join("")}</svg>`;
}
