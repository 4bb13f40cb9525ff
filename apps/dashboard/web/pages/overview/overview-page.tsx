// The activity of the clan, refreshed automatically.
import { Suspense, useState } from "react";
import type { ClanFacts } from "#contract/dashboard/clans.ts";
import type { Overview } from "#contract/dashboard/overview.ts";
import { useApi } from "../../api/use-api.ts";
import { lazyPart } from "../../lazy-part.ts";
import { Aside } from "../../parts/aside.tsx";
import { Button } from "../../parts/button.tsx";
import { DataTable, type Column } from "../../parts/data-table.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { FreeText } from "../../parts/free-text.tsx";
import { MemberLink } from "../../parts/links.tsx";
import { numberText } from "../../parts/numbers.ts";
import { Page } from "../../parts/page.tsx";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { useClan } from "../../parts/use-clan.ts";
import { Xp, XpChange } from "../../parts/xp.tsx";
import { BarChart } from "./bar-chart.tsx";

/** Loaded on demand, because it contains the forms, which the overview itself does not need. */
const ClanSettingsDialog = lazyPart(() =>
  import("../clans/clan-settings-dialog.tsx").then((m) => m.ClanSettingsDialog),
);

const REFRESH_MS = 5_000;
const clock = new Intl.DateTimeFormat("en", { timeStyle: "medium" });

export function OverviewPage() {
  const { clanId, mayChange } = useClan();
  const overview = useApi("read-overview", { params: { clanId } }, { refetchMs: REFRESH_MS });
  const clan = useApi("read-clan", { params: { clanId } }, { refetchMs: REFRESH_MS, enabled: mayChange }).data;
  const [changing, setChanging] = useState<ClanFacts | null>(null);
  return (
    <Page title="Overview" actions={clan ? <Button onClick={() => setChanging(clan)}>Clan settings</Button> : null}>
      <Loaded query={overview} what="the overview">
        {(data) => <Facts overview={data} clanId={clanId} />}
      </Loaded>
      <Suspense>{changing ? <ClanSettingsDialog clan={changing} onClose={() => setChanging(null)} /> : null}</Suspense>
    </Page>
  );
}

function Facts({
  overview: { asOf, members, xp, minutes, hours, newest },
  clanId,
}: {
  overview: Overview;
  clanId: string;
}) {
  const sum = (spans: Overview["minutes"]) => ({
    awards: numberText(spans.reduce((total, span) => total + span.awards, 0)),
    xp: numberText(spans.reduce((total, span) => total + BigInt(span.xp), 0n)),
  });
  const [hour, day] = [sum(minutes), sum(hours)];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <p className="text-sm text-muted">
        As of <time dateTime={asOf}>{clock.format(new Date(asOf))}</time>, read from the ledger. Refreshed every 5
        seconds.
      </p>
      <dl className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <Number label="Members" value={numberText(members)} />
        <Number label="XP in total" value={numberText(BigInt(xp))} />
        <Number label="Awards in the last hour" value={hour.awards} note={`${day.awards} in 24 hours`} />
        <Number label="XP in the last hour" value={hour.xp} note={`${day.xp} in 24 hours`} />
      </dl>
      <div className="grid gap-4 lg:grid-cols-2">
        <BarChart title="Awards per minute, last hour" spans={minutes} unit="awards" />
        <BarChart title="XP per minute, last hour" spans={minutes} unit="XP" />
        <BarChart title="Awards per hour, last day" spans={hours} unit="awards" />
        <BarChart title="XP per hour, last day" spans={hours} unit="XP" />
      </div>
      <section>
        <h2 className="mb-3 text-lg font-semibold">Newest awards</h2>
        {newest.length === 0 ? (
          <Empty title="No awards yet.">Create an API key, and let your game server send the first one.</Empty>
        ) : (
          <DataTable
            label="Newest awards"
            columns={columnsFor(clanId)}
            rows={newest}
            keyOf={(entry) => `${entry.platformId}/${entry.awardId}`}
          />
        )}
      </section>
    </div>
  );
}

function Number({ label, value, note }: { label: string; value: string; note?: string }) {
  return (
    <div className="rounded-xl border border-line bg-panel p-4">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="mt-1 text-2xl font-semibold tracking-tight break-all tabular-nums">{value}</dd>
      {note === undefined ? null : <dd className="text-sm text-muted">{note}</dd>}
    </div>
  );
}

function columnsFor(clanId: string): Column<Overview["newest"][number]>[] {
  return [
    { header: "When", line: 2, cell: (entry) => <Time at={entry.at} /> },
    { header: "Member", line: 1, cell: (entry) => <MemberLink clanId={clanId} platformId={entry.platformId} /> },
    { header: "Change", line: 1, isNumber: true, cell: (entry) => <XpChange value={entry.applied} /> },
    { header: "XP after", line: null, isNumber: true, cell: (entry) => <Xp value={entry.xp} /> },
    { header: "Rank", line: null, cell: (entry) => <FreeText>{entry.rank}</FreeText> },
    { header: "Reason", line: 2, grows: true, cell: (entry) => <Reason entry={entry} /> },
  ];
}

function Reason({ entry: { reason, reverses } }: { entry: Overview["newest"][number] }) {
  return (
    <FreeText>
      {reason}
      {reverses === undefined ? null : <Aside>reverses an award</Aside>}
    </FreeText>
  );
}
