// Awards or XP over time, with the range before.
import { useMemo, useState } from "react";
import type { Overview, Span } from "#contract/dashboard/overview.ts";
import { Panel } from "../../parts/panel.tsx";
import { RadioSwitch } from "../../parts/radio-switch.tsx";
import { rangeTexts } from "../../parts/range-texts.ts";
import { TimeChart } from "../../parts/time-chart.tsx";
import type { TimePoint } from "../../parts/time-point.ts";

const units = ["Awards", "XP"] as const;
type Unit = (typeof units)[number];

export function ActivityChart({ overview }: { overview: Overview }) {
  const [unit, setUnit] = useState<Unit>("Awards");
  const points = useMemo(() => pointsOf(overview, unit), [overview, unit]);
  // While another range is loaded, the one before is shown.
  const span = rangeTexts[overview.shown];
  const isCounting = overview.before.awards === null;
  return (
    <Panel
      title="Activity"
      note={isCounting ? "Older awards are being counted …" : undefined}
      actions={
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Legend span={span} />
          <RadioSwitch label="Show" options={units} value={unit} onChange={setUnit} />
        </div>
      }
    >
      <TimeChart
        label={`${unit} in the last ${span}`}
        unit={unit}
        form="bars"
        points={points}
        beforeLabel={`the ${span} before`}
      />
    </Panel>
  );
}

function Legend({ span }: { span: string }) {
  return (
    <p aria-hidden="true" className="flex flex-wrap gap-x-4 text-sm text-muted">
      <span>
        <span className="mr-1.5 inline-block size-2.5 rounded-xs bg-accent-ink" />
        Last {span}
      </span>
      <span>
        <span className="mr-1.5 inline-block h-0.5 w-4 bg-warn-ink align-middle" />
        Previous {span}
      </span>
    </p>
  );
}

/** The last span ends when the overview was read; the others, where the next one begins. */
function pointsOf({ asOf, range, before }: Overview, unit: Unit): TimePoint[] {
  const valueOf = (span: Span | undefined): bigint | null => {
    const value = unit === "Awards" ? span?.awards : span?.xp;
    return value === null || value === undefined ? null : BigInt(value);
  };
  const startsMs = range.spans.map(({ start }) => Date.parse(start));
  const lengthMs = (startsMs[1] ?? 0) - (startsMs[0] ?? 0);
  return range.spans.map((span, index) => {
    const fromMs = startsMs[index] ?? Date.parse(asOf);
    return {
      fromMs,
      toMs: startsMs[index + 1] ?? fromMs + lengthMs,
      value: valueOf(span),
      before: valueOf(before.spans[index]),
    };
  });
}
