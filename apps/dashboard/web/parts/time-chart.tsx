// Values over time, as bars or as a line, with the range before as a thin line. The numbers are shown for the point
// under the pointer or finger, or for the one that the arrow keys choose, and as a table.
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
} from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { numberText } from "./numbers.ts";
import { chartOptions, dataOf } from "./time-chart-options.ts";
import { middleOf, type TimeChartProps, type TimePoint } from "./time-point.ts";
import { useColorScheme } from "./use-color-scheme.ts";

export function TimeChart(props: TimeChartProps) {
  const { label, points } = props;
  const holder = useRef<HTMLDivElement>(null);
  const chart = useDrawing(holder, props);
  const [chosen, setChosen] = useState<number | null>(null);
  const [leftPx, setLeftPx] = useState(0);
  const last = points.length - 1;
  const index = chosen === null ? null : Math.min(chosen, last);

  const choose = (next: number | null): void => {
    setChosen(next);
    const point = next === null ? undefined : points[next];
    const left = point ? (chart.current?.valToPos(middleOf(point), "x") ?? -10) : -10;
    chart.current?.setCursor({ left, top: point ? 0 : -10 }, false);
    setLeftPx(left + (chart.current?.over.offsetLeft ?? 0));
  };
  const pointed = ({ clientX }: PointerEvent): void => {
    const plot = chart.current?.over.getBoundingClientRect();
    if (!plot || !chart.current) return;
    choose(chart.current.posToIdx(Math.min(Math.max(clientX - plot.left, 0), plot.width - 1)));
  };
  const pressed = (event: KeyboardEvent): void => {
    const next = indexAfter(event.key, index ?? last + 1, last);
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
  };
  const shown = index === null ? undefined : points[index];

  return (
    <div className="min-w-0">
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-roledescription="chart"
        aria-valuemin={0}
        aria-valuemax={Math.max(last, 0)}
        aria-valuenow={index ?? Math.max(last, 0)}
        aria-valuetext={shown ? textOf(shown, props) : summaryOf(props)}
        onKeyDown={pressed}
        onBlur={() => choose(null)}
        onPointerMove={pointed}
        onPointerDown={pointed}
        onPointerLeave={({ pointerType }) => pointerType === "mouse" && choose(null)}
        className="relative min-w-0 touch-pan-y rounded-lg"
      >
        <div ref={holder} className="min-w-0 overflow-hidden" />
        {shown && index !== null ? (
          <Tooltip point={shown} leftPx={leftPx} isLeft={index > last / 2} {...props} />
        ) : null}
      </div>
      <Numbers {...props} />
    </div>
  );
}

/** Drawn again when the colors change, and with new numbers when they do. */
function useDrawing(holder: RefObject<HTMLDivElement | null>, props: TimeChartProps): RefObject<uPlot | null> {
  const { points, form, unit } = props;
  const chart = useRef<uPlot | null>(null);
  const colors = useColorScheme();
  const create = useEffectEvent((element: HTMLElement) => {
    const created = new uPlot(chartOptions(element, props), dataOf(points), element);
    chart.current = created;
    return created;
  });

  useEffect(() => {
    const element = holder.current;
    if (!element) return undefined;
    const created = create(element);
    const resized = new ResizeObserver(() => created.setSize({ width: element.clientWidth, height: created.height }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      created.destroy();
      chart.current = null;
    };
  }, [colors, form, unit, holder]);
  useEffect(() => {
    chart.current?.setData(dataOf(points));
  }, [points]);
  return chart;
}

type TooltipProps = TimeChartProps & { point: TimePoint; leftPx: number; isLeft: boolean };

/** Beside the point, on the side with more space. */
function Tooltip({ point, leftPx, isLeft, ...props }: TooltipProps) {
  return (
    <div
      aria-hidden="true"
      data-testid="chart-tooltip"
      className={`pointer-events-none absolute top-1 z-10 w-max max-w-44 rounded-lg border border-line bg-panel px-3 py-2 text-sm shadow-md sm:max-w-60 ${isLeft ? "-translate-x-full -ml-3" : "ml-3"}`}
      style={{ left: leftPx }}
    >
      <p className="text-muted">{timeText(point)}</p>
      <p className="font-semibold tabular-nums">{valueText(point.value, props.unit)}</p>
      {point.before === undefined || props.beforeLabel === undefined ? null : (
        <p className="text-muted tabular-nums">
          {valueText(point.before, props.unit)} in {props.beforeLabel}
        </p>
      )}
    </div>
  );
}

/** The rows exist only while they are shown. */
function Numbers(props: TimeChartProps) {
  const { label, unit, points, beforeLabel } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="mt-2 text-sm" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="w-fit cursor-pointer text-muted">Show the numbers</summary>
      {isOpen ? (
        <div className="mt-2 max-h-80 overflow-y-auto" tabIndex={0} role="region" aria-label={`${label}, as numbers`}>
          <table aria-label={label} className="w-full text-left">
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col" className="text-right">
                  {unit}
                </th>
                {beforeLabel === undefined ? null : (
                  <th scope="col" className="text-right">
                    Before
                  </th>
                )}
              </tr>
            </thead>
            <tbody className="tabular-nums">
              {points.toReversed().map((point) => (
                <tr key={point.fromMs} className="border-t border-line">
                  <td className="py-1">{timeText(point)}</td>
                  <td className="text-right">{numberOf(point.value)}</td>
                  {beforeLabel === undefined ? null : <td className="text-right">{numberOf(point.before ?? null)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
    </details>
  );
}

const DAY_MS = 86_400_000;
const date = new Intl.DateTimeFormat("en", { weekday: "short", month: "short", day: "numeric" });
const dates = new Intl.DateTimeFormat("en", { dateStyle: "medium" });
const dateAndTime = new Intl.DateTimeFormat("en", {
  weekday: "short",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** A day is a date, and several are two; other parts have a beginning and an end. */
function timeText({ fromMs, toMs }: TimePoint): string {
  const from = new Date(fromMs);
  const isFromMidnight = from.getHours() === 0 && from.getMinutes() === 0;
  if (!isFromMidnight || toMs - fromMs <= DAY_MS / 2) return dateAndTime.formatRange(from, new Date(toMs));
  return toMs - fromMs < 2 * DAY_MS ? date.format(from) : dates.formatRange(from, new Date(toMs - 1));
}

function valueText(value: bigint | null, unit: TimeChartProps["unit"]): string {
  if (value === null) return unit === "XP" ? "no XP yet" : "not counted yet";
  return `${numberText(value)} ${unit === "XP" ? "XP" : value === 1n ? "award" : "awards"}`;
}

function numberOf(value: bigint | null): string {
  return value === null ? "–" : numberText(value);
}

function textOf(point: TimePoint, { unit, beforeLabel }: TimeChartProps): string {
  const before =
    point.before === undefined ? "" : `, ${valueText(point.before, unit)} in ${beforeLabel ?? "the range before"}`;
  return `${timeText(point)}: ${valueText(point.value, unit)}${before}`;
}

function summaryOf({ points, unit }: TimeChartProps): string {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]));
  if (values.length === 0) return "no numbers yet";
  const [least, most] = [values.reduce((a, b) => (b < a ? b : a)), values.reduce((a, b) => (b > a ? b : a))];
  return `from ${numberText(least)} to ${valueText(most, unit)}; use the arrow keys for single values`;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
};

/** Undefined: the key is not one of the chart's. Null: none is chosen any more. */
function indexAfter(key: string, index: number, last: number): number | null | undefined {
  if (key === "Escape") return null;
  if (key === "Home") return 0;
  if (key === "End") return last;
  const step = STEPS[key];
  return step === undefined ? undefined : Math.min(Math.max(index + step, 0), last);
}
