// What happens in the clan, refreshed automatically.
import { Suspense, useState } from "react";
import type { ClanFacts } from "#contract/dashboard/clans.ts";
import type { Overview } from "#contract/dashboard/overview.ts";
import { timeRanges, type TimeRange } from "#domain/time-range.ts";
import { useApi } from "../../api/use-api.ts";
import { lazyPart } from "../../lazy-part.ts";
import { Button } from "../../parts/button.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Page } from "../../parts/page.tsx";
import { RangeSelect } from "../../parts/range-select.tsx";
import { Empty } from "../../parts/states.tsx";
import { useClan } from "../../parts/use-clan.ts";
import { ActivityCards } from "./activity-cards.tsx";
import { ActivityChart } from "./activity-chart.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { HighlightPanels } from "./highlight-panels.tsx";
import { NewestAwards } from "./newest-awards.tsx";

/** Loaded on demand, because it contains the forms, which the overview itself does not need. */
const ClanSettingsDialog = lazyPart(() =>
  import("../clans/clan-settings-dialog.tsx").then((m) => m.ClanSettingsDialog),
);

const REFRESH_MS = 5_000;
/** Hours and days begin as on the person's clock. */
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();

export function OverviewPage() {
  const { clanId, mayChange } = useClan();
  const [range, setRange] = useState<TimeRange>("24h");
  const query = { range, timeZone };
  const overview = useApi(
    "read-overview",
    { params: { clanId }, query },
    { refetchMs: REFRESH_MS, keepsPrevious: true },
  );
  const clan = useApi("read-clan", { params: { clanId } }, { refetchMs: REFRESH_MS, enabled: mayChange }).data;
  const [changing, setChanging] = useState<ClanFacts | null>(null);
  return (
    <Page
      title="Overview"
      actions={
        <div className="flex flex-wrap items-center gap-3">
          {overview.data && !isEmpty(overview.data) ? (
            <RangeSelect ranges={timeRanges} value={range} onChange={setRange} />
          ) : null}
          {clan ? <Button onClick={() => setChanging(clan)}>Clan settings</Button> : null}
        </div>
      }
    >
      <Loaded query={overview} what="the overview">
        {(data) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
            {mayChange ? <FirstSteps key={clanId} clanId={clanId} hasAwards={data.newest.length > 0} /> : null}
            {isEmpty(data) ? (
              <Empty title="No awards yet.">The first one appears here by itself.</Empty>
            ) : (
              <>
                <ActivityCards overview={data} />
                <ActivityChart overview={data} />
                <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2 xl:grid-cols-3">
                  <NewestAwards clanId={clanId} newest={data.newest} />
                  <HighlightPanels clanId={clanId} />
                </div>
              </>
            )}
          </div>
        )}
      </Loaded>
      <Suspense>{changing ? <ClanSettingsDialog clan={changing} onClose={() => setChanging(null)} /> : null}</Suspense>
    </Page>
  );
}

function isEmpty({ members, newest }: Overview): boolean {
  return members === 0 && newest.length === 0;
}
