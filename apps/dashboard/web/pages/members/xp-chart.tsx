// A member's XP over time, from the loaded entries. The table below shows the same data as numbers.
import { useEffect, useRef, useSyncExternalStore } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { MemberEntry } from "#contract/dashboard/members.ts";
import { numberText } from "../../parts/numbers.ts";

const HEIGHT_PX = 220;
/** The width of a digit in the axis' font; a separator is narrower. */
const DIGIT_PX = 7;
const AXIS_GAP_PX = 16;
const MINUTE_MS = 60_000;
const MINUTE_S = 60;

export function XpChart({ entries }: { entries: readonly MemberEntry[] }) {
  const theme = useTheme();
  const holder = useRef<HTMLDivElement>(null);
  const oldestFirst = entries.toReversed();
  const [first, last] = [oldestFirst[0], oldestFirst.at(-1)];
  // Up to now, because XP does not change until the next entry. Rounded to minutes, so that the chart is not drawn
  // again with each rendering.
  const nowS = Math.max(
    Math.floor(Date.now() / MINUTE_MS) * MINUTE_S,
    Math.ceil(Date.parse(last?.at ?? "") / 1_000) + 1,
  );
  const times = [...oldestFirst.map(({ at }) => Date.parse(at) / 1_000), nowS];
  const points = JSON.stringify([times, [...oldestFirst, ...(last ? [last] : [])].map(({ xp }) => Number(xp))]);

  useEffect(() => {
    const element = holder.current;
    if (!element) return undefined;
    const colors = getComputedStyle(element);
    const [line, grid, text] = ["--accent-ink", "--line", "--muted"].map((name) =>
      colors.getPropertyValue(name).trim(),
    );
    const axis = {
      stroke: text ?? "",
      grid: { stroke: grid ?? "", width: 1 },
      ticks: { show: false },
      font: "12px system-ui, sans-serif",
    };
    const stepped = uPlot.paths.stepped?.({ align: 1 });
    const chart = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT_PX,
        legend: { show: false },
        cursor: { y: false },
        series: [{}, { label: "XP", stroke: line ?? "", width: 2, ...(stepped ? { paths: stepped } : {}) }],
        axes: [
          axis,
          {
            ...axis,
            size: (_, labels) => AXIS_GAP_PX + DIGIT_PX * Math.max(0, ...(labels ?? []).map(({ length }) => length)),
            values: (_, splits) => splits.map((split) => (Number.isInteger(split) ? numberText(split) : "")),
          },
        ],
      },
      JSON.parse(points) as uPlot.AlignedData,
      element,
    );
    const resized = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT_PX }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      chart.destroy();
    };
  }, [points, theme]);

  return (
    <figure className="min-w-0 rounded-xl border border-line bg-panel p-4">
      <figcaption className="mb-2 font-medium">XP over time</figcaption>
      <div
        ref={holder}
        role="img"
        aria-label={`XP from ${numberText(first?.xp ?? "0")} to ${numberText(last?.xp ?? "0")} over ${entries.length === 1 ? "1 entry" : `${entries.length} entries`}`}
        className="min-w-0 overflow-hidden"
      />
    </figure>
  );
}

const dark = window.matchMedia("(prefers-color-scheme: dark)");

/** The system's color scheme, for drawings that do not use the style sheet. */
function useTheme(): "dark" | "light" {
  return useSyncExternalStore(
    (onChange) => {
      dark.addEventListener("change", onChange);
      return () => dark.removeEventListener("change", onChange);
    },
    () => (dark.matches ? "dark" : "light"),
  );
}
