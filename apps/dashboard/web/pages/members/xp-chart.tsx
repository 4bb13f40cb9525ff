// A member's XP over a range of time, or since their first entry, or what they gained in its days, weeks or months.
import { useMemo, useState } from "react";
import type { XpHistory } from "#contract/dashboard/members.ts";
import type { MemberGainsResponse } from "#contract/member-gains.ts";
import { historyRanges, type HistoryRange } from "#domain/time-range.ts";
import { useApi } from "../../api/use-api.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { Panel } from "../../parts/panel.tsx";
import { RadioSwitch } from "../../parts/radio-switch.tsx";
import { RangeSelect } from "../../parts/range-select.tsx";
import { rangeTexts } from "../../parts/range-texts.ts";
import { TimeChart } from "../../parts/time-chart.tsx";
import type { TimePoint } from "../../parts/time-point.ts";

const REFRESH_MS = 5_000;
/** The whole ledger of the member may be read for it. */
const GAINS_REFRESH_MS = 15_000;
const USUAL_RANGE = "30d";
/** The XP is known for that long at least, where this range is shown without being chosen. */
const USUAL_RANGE_MS_MIN = 2 * 86_400_000;
/** Days begin as on the person's clock. */
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();

const views = {
  XP: { title: "XP over time", note: "Each point is the highest XP of its time." },
  Gained: { title: "XP gained", note: "What awards gave in each part of the time, without what was reversed of them." },
} as const;
type View = keyof typeof views;
type Props = { params: { clanId: string; platformId: string }; range: HistoryRange };

export function XpChart({ params }: Pick<Props, "params">) {
  const [chosen, setChosen] = useState<HistoryRange | null>(null);
  const [view, setView] = useState<View>("XP");
  const range = useFirstRange(params, chosen !== null) ?? chosen ?? USUAL_RANGE;
  return (
    <Panel
      {...views[view]}
      actions={
        <div className="flex flex-wrap gap-3">
          <RadioSwitch label="Show" options={["XP", "Gained"]} value={view} onChange={setView} />
          <RangeSelect ranges={historyRanges} value={range} onChange={setChosen} />
        </div>
      }
    >
      {view === "XP" ? <OverTime params={params} range={range} /> : <Gained params={params} range={range} />}
    </Panel>
  );
}

/** All time for a member whose XP began lately: of the usual range nearly every day would be empty. */
function useFirstRange(params: Props["params"], isChosen: boolean): "all" | null {
  const sent = { params, query: { range: USUAL_RANGE } } as const;
  const points = useApi("read-member-history", sent, { enabled: !isChosen }).data?.points ?? [];
  const first = points.find(({ xp }) => xp !== null);
  if (isChosen || !first || first === points[0]) return null;
  return Date.now() - Date.parse(first.at) < USUAL_RANGE_MS_MIN ? "all" : null;
}

function OverTime({ params, range }: Props) {
  const history = useApi(
    "read-member-history",
    { params, query: { range } },
    { refetchMs: REFRESH_MS, keepsPrevious: true },
  );
  return (
    <Loaded query={history} what="the XP over time">
      {(data) => <Chart history={data} range={range} />}
    </Loaded>
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

function Gained({ params, range }: Props) {
  const gained = useApi(
    "read-member-gains",
    { params, query: { range, timeZone } },
    { refetchMs: GAINS_REFRESH_MS, keepsPrevious: true },
  );
  return (
    <Loaded query={gained} what="the XP gained">
      {(data) => <Bars gained={data} range={range} />}
    </Loaded>
  );
}

function Bars({ gained: { every, gains }, range }: { gained: MemberGainsResponse; range: HistoryRange }) {
  const points = useMemo(() => gains.map(pointOf), [gains]);
  const label = `XP gained by ${every}, ${range === "all" ? "all time" : `last ${rangeTexts[range]}`}`;
  return <TimeChart label={label} unit="XP" form="bars" points={points} />;
}

function pointOf({ startsAt, endsAt, xp }: MemberGainsResponse["gains"][number]): TimePoint {
  return { fromMs: Date.parse(startsAt), toMs: Date.parse(endsAt), value: BigInt(xp) };
}
