// A member's XP over a range of time, or since their first entry.
import { useMemo, useState } from "react";
import type { XpHistory } from "#contract/dashboard/members.ts";
import { historyRanges, type HistoryRange } from "#domain/time-range.ts";
import { useApi } from "../../api/use-api.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { Panel } from "../../parts/panel.tsx";
import { RangeSelect } from "../../parts/range-select.tsx";
import { rangeTexts } from "../../parts/range-texts.ts";
import { TimeChart } from "../../parts/time-chart.tsx";
import type { TimePoint } from "../../parts/time-point.ts";

const REFRESH_MS = 5_000;

export function XpChart({ params }: { params: { clanId: string; platformId: string } }) {
  const [range, setRange] = useState<HistoryRange>("30d");
  const history = useApi(
    "read-member-history",
    { params, query: { range } },
    { refetchMs: REFRESH_MS, keepsPrevious: true },
  );
  return (
    <Panel
      title="XP over time"
      note="Each point is the highest XP of its time."
      actions={<RangeSelect ranges={historyRanges} value={range} onChange={setRange} />}
    >
      <Loaded query={history} what="the XP over time">
        {(data) => <Chart history={data} range={range} />}
      </Loaded>
    </Panel>
  );
}

function Chart({ history, range }: { history: XpHistory; range: HistoryRange }) {
  const points = useMemo(() => pointsOf(history), [history]);
  if (points === null) return <p role="status">Reading many entries …</p>;
  const label = range === "all" ? "XP of all time" : `XP in the last ${rangeTexts[range]}`;
  return <TimeChart label={label} unit="XP" form="line" points={points} />;
}

function pointsOf({ points, until }: XpHistory): TimePoint[] | null {
  if (points === null) return null;
  return points.map(({ at, xp }, index) => ({
    fromMs: Date.parse(at),
    toMs: Date.parse(points[index + 1]?.at ?? until),
    value: xp === null ? null : BigInt(xp),
  }));
}
