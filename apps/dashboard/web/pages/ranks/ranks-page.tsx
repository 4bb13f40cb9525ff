// The clan's ranks and Auto Clan: edited by owners, read by viewers.
import type { RankSettings } from "#contract/dashboard/ranks.ts";
import { useApi } from "../../api/use-api.ts";
import { DataTable, type Column } from "../../parts/data-table.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { numberText } from "../../parts/numbers.ts";
import { Page } from "../../parts/page.tsx";
import { useClan } from "../../parts/use-clan.ts";
import { RanksEditor } from "./ranks-editor.tsx";

/** How soon changes by other people and by the command line are shown. */
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
      <Loaded query={settings} what="the ranks">
        {(stored) =>
          mayChange ? <RanksEditor key={clanId} clanId={clanId} stored={stored} /> : <RankList settings={stored} />
        }
      </Loaded>
    </Page>
  );
}

const columns: Column<RankSettings["ranks"][number]>[] = [
  { header: "Rank", cell: ({ name }) => <span className="font-medium break-words">{name}</span> },
  { header: "Kind", cell: ({ kind }) => kind },
  {
    header: "Threshold",
    isNumber: true,
    cell: ({ threshold }) => (threshold === undefined ? null : numberText(threshold)),
  },
];

/** A clan has at least one rank, so the list is never empty. */
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
