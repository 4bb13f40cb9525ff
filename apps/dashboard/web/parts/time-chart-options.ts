// How uPlot draws a chart over time: its axes, colors and forms, by the style sheet.
import uPlot from "uplot";
import { numberText } from "./numbers.ts";
import { middleOf, type TimeChartProps, type TimePoint } from "./time-point.ts";

const HEIGHT_PX = 210;
/** The width of a digit in the axis' font; a separator is narrower. */
const DIGIT_PX = 8;
const AXIS_GAP_PX = 16;
const TIME_AXIS_PX = 28;
/** From one time to the next, at least; with seconds, where the axis may be divided by less than a minute. */
const CLOCK_SPACE_PX = 50;
const SECONDS_SPACE_PX = 70;
const LONE_POINT_PX = 7;
const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;
const FONT_PX = 12;

const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const clockWithSeconds = new Intl.DateTimeFormat("en", { timeStyle: "medium", hourCycle: "h23" });
const day = new Intl.DateTimeFormat("en", { month: "short", day: "numeric" });

/** uPlot draws numbers: beyond 2^53 a point is off by less than its own width. */
export function dataOf(points: readonly TimePoint[]): uPlot.AlignedData {
  const numberOf = (value: bigint | null | undefined): number | null =>
    value === null || value === undefined ? null : Number(value);
  return [
    points.map(middleOf),
    points.map(({ value }) => numberOf(value)),
    points.map(({ before }) => numberOf(before)),
  ];
}

export function chartOptions(
  element: HTMLElement,
  { form, points }: Pick<TimeChartProps, "form" | "points">,
): uPlot.Options {
  const style = getComputedStyle(element);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  const axis = {
    stroke: color("--muted"),
    grid: { stroke: color("--line"), width: 1 },
    ticks: { show: false },
    font: `${FONT_PX}px ${style.fontFamily}`,
  };
  const main = color("--accent-ink");
  const bars = uPlot.paths.bars?.({ size: [0.7, 48] });
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, bind: NO_MOUSE, points: { show: form === "line" } },
    scales: {
      x: { range: (chart) => rangeOf(chart.data[0]) },
      y: form === "bars" ? { range: (_, min, max) => [Math.min(0, min), Math.max(1, max) * 1.05] } : {},
    },
    series: [
      {},
      form === "bars" && bars
        ? { stroke: main, fill: main, width: 0, paths: bars, points: { show: false } }
        : { stroke: main, width: 2, points: lonePoints(main) },
      {
        stroke: color("--warn-ink"),
        width: 1,
        points: lonePoints(color("--warn-ink")),
        show: points.some(({ before }) => before !== undefined),
      },
    ],
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: TIME_AXIS_PX,
        space: (_, _axis, from, to) => (to - from < HOUR_S ? SECONDS_SPACE_PX : CLOCK_SPACE_PX),
        values: (_, splits, _axis, _space, step) => splits.map((split) => timeLabel(split, step)),
      },
      {
        ...axis,
        size: (_, labels) => AXIS_GAP_PX + DIGIT_PX * Math.max(1, ...(labels ?? []).map(({ length }) => length)),
        values: (_, splits) => splits.map((split) => (Number.isInteger(split) ? numberText(split) : "")),
      },
    ],
  };
}

/** The chart's own listeners handle pointers of all kinds. */
const ignore = (): null => null;
const NO_MOUSE = {
  mousemove: ignore,
  mousedown: ignore,
  mouseup: ignore,
  mouseenter: ignore,
  mouseleave: ignore,
  dblclick: ignore,
};

/** Half of a part more at both ends, so that bars are not cut off. */
function rangeOf(times: uPlot.AlignedData[0] | undefined): [number, number] {
  const [first = 0, second = first + 60] = times ?? [];
  const half = (second - first) / 2;
  return [first - half, (times?.at(-1) ?? first) + half];
}

/** A line leads nowhere from a point between two that are not known, such as the first one of a new member. */
function lonePoints(color: string): uPlot.Series.Points {
  return {
    show: false,
    filter(chart, series) {
      const values = chart.data[series] ?? [];
      const isKnown = (at: number): boolean => typeof values[at] === "number";
      return [...values.keys()].filter((at) => isKnown(at) && !isKnown(at - 1) && !isKnown(at + 1));
    },
    size: LONE_POINT_PX,
    width: 0,
    fill: color,
  };
}

function timeLabel(atS: number, stepS: number): string {
  const at = new Date(atS * 1_000);
  const isMidnight = at.getHours() === 0 && at.getMinutes() === 0 && at.getSeconds() === 0;
  if (stepS >= DAY_S || isMidnight) return day.format(at);
  return (stepS < MINUTE_S ? clockWithSeconds : clock).format(at);
}
