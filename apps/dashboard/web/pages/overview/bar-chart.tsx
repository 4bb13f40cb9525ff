// Bars over time. Drawn as SVG: it follows the colors of the page, and each bar says its numbers on hover.
import type { Span } from "#contract/dashboard/overview.ts";
import { numberText } from "../../parts/number-text.ts";

const WIDTH = 600;
const HEIGHT = 120;
const GAP = 2;
const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit" });

type Props = { title: string; spans: readonly Span[]; unit: "awards" | "XP" };

export function BarChart({ title, spans, unit }: Props) {
  const values = spans.map((span) => (unit === "awards" ? BigInt(span.awards) : BigInt(span.xp)));
  const largest = values.reduce((most, value) => (magnitude(value) > most ? magnitude(value) : most), 0n);
  const [first, last] = [spans[0], spans.at(-1)];
  const step = WIDTH / Math.max(1, spans.length);
  return (
    <figure className="min-w-0 rounded-xl border border-line bg-panel p-4">
      <figcaption className="mb-3 flex flex-wrap justify-between gap-2">
        <span className="font-medium">{title}</span>
        <span className="text-sm text-muted tabular-nums">
          most {numberText(largest)} {unit}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: at most ${numberText(largest)} ${unit}`}
        className="block h-28 w-full"
      >
        <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="stroke-line" />
        {spans.map((span, index) => {
          const value = values[index] ?? 0n;
          const height = largest === 0n ? 0 : barHeight(value, largest);
          return (
            <rect
              key={span.start}
              x={index * step + GAP / 2}
              y={HEIGHT - height}
              width={step - GAP}
              height={height}
              className={value < 0n ? "fill-danger" : "fill-accent"}
            >
              <title>{`${clock.format(new Date(span.start))}: ${numberText(value)} ${unit}`}</title>
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

/** XP may lie beyond what a number holds: the share is taken in thousandths. Anything at all is seen. */
function barHeight(value: bigint, largest: bigint): number {
  if (value === 0n) return 0;
  return Math.max(2, (Number((magnitude(value) * 1_000n) / largest) / 1_000) * HEIGHT);
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
