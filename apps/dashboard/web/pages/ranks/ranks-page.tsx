// The clan's ranks and Auto Clan: edited by owners, read by viewers.
import type { RankSettings } from "#contract/dashboard/ranks.ts";
import { useApi } from "../../api/use-api.ts";
import { DataTable, type Column } from "../../parts/data-table.tsx";
import { Page } from "../../parts/page.tsx";
import { Failed, Loading } from "../../parts/states.tsx";
import { useClan } from "../../parts/use-clan.ts";
import { xpText } from "../../parts/xp.tsx";
import { RanksEditor } from "./ranks-editor.tsx";

/** What other people and the command line change shows within so long. */
const REFRESH_MS = 5_000;

export function RanksPage() {
  const { clanId, mayChange } = useClan();
  const settings = useApi("read-ranks", { params: { clanId } }, { refetchMs: REFRESH_MS });
  return (
    <Page title="Ranks">
      <p className="mb-5 max-w-prose text-muted">
        Members reach NORMAL ranks by XP; every member has the lowest of them at least. STAFF and OWNER ranks are given
        by appointment. The GUEST rank is for players without a membership.
      </p>
      {settings.isPending ? <Loading what="the ranks" /> : null}
      {settings.error ? (
        <div className="mb-5">
          <Failed error={settings.error} onRetry={() => void settings.refetch()} />
        </div>
      ) : null}
      {settings.data && mayChange ? <RanksEditor key={clanId} clanId={clanId} stored={settings.data} /> : null}
      {settings.data && !mayChange ? <RankList settings={settings.data} /> : null}
    </Page>
  );
}

const columns: Column<RankSettings["ranks"][number]>[] = [
  { header: "Rank", cell: ({ name }) => <span className="font-medium break-words">{name}</span> },
  { header: "Kind", cell: ({ kind }) => kind },
  {
    header: "Threshold",
    isNumber: true,
    cell: ({ threshold }) => (threshold === undefined ? null : xpText(threshold)),
  },
];

/** A clan has one rank at least: there is no empty list. */
function RankList({ settings: { ranks, autoClan } }: { settings: RankSettings }) {
  return (
    <>
      <DataTable label="Ranks" columns={columns} rows={ranks} keyOf={({ name }) => name} />
      <p className="mt-4">
        Auto Clan is <strong>{autoClan ? "on" : "off"}</strong>.
      </p>
    </>
  );
}
