// Bars over time, as SVG: they use the colors of the page, and each bar shows its numbers on hover.
import type { Span } from "#contract/dashboard/overview.ts";
import { numberText } from "../../parts/numbers.ts";
import { barsOf } from "./bars.ts";

const WIDTH = 600;
const HEIGHT = 120;
const GAP = 2;
const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit" });

type Props = { title: string; spans: readonly Span[]; unit: "awards" | "XP" };

export function BarChart({ title, spans, unit }: Props) {
  const values = spans.map((span) => (unit === "awards" ? BigInt(span.awards) : BigInt(span.xp)));
  const { least, most, zeroY, bars } = barsOf(values, HEIGHT);
  const range = least < 0n ? `from ${numberText(least)} to ${numberText(most)} ${unit}` : null;
  const [first, last] = [spans[0], spans.at(-1)];
  const step = WIDTH / Math.max(1, spans.length);
  const lineY = Math.min(Math.max(zeroY, 0.5), HEIGHT - 0.5);
  return (
    <figure className="min-w-0 rounded-xl border border-line bg-panel p-4">
      <figcaption className="mb-3 flex flex-wrap justify-between gap-2">
        <span className="font-medium">{title}</span>
        <span className="text-sm text-muted tabular-nums">{range ?? `most ${numberText(most)} ${unit}`}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${range ?? `at most ${numberText(most)} ${unit}`}`}
        className="block h-28 w-full"
      >
        <line x1="0" x2={WIDTH} y1={lineY} y2={lineY} className="stroke-line" />
        {bars.map(({ value, y, height }, index) => {
          const start = spans[index]?.start ?? "";
          return (
            <rect
              key={start}
              x={index * step + GAP / 2}
              y={y}
              width={step - GAP}
              height={height}
              className={value < 0n ? "fill-danger" : "fill-accent"}
            >
              <title>{`${clock.format(new Date(start))}: ${numberText(value)} ${unit}`}</title>
            </rect>
          );
        })}
      </svg>
      <div className="mt-1 flex justify-between text-sm text-muted">
        <span>{first ? clock.format(new Date(first.start)) : ""}</span>
        <span>{last ? "now" : ""}</span>
      </div>
    </figure>
  );
}
