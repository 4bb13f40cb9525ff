// The clan's ranks and Auto Clan: edited by owners, read by viewers.
import type { RankSettings } from "#contract/dashboard/ranks.ts";
import { useApi } from "../../api/use-api.ts";
import { Count } from "../../parts/count.tsx";
import { DataTable, type Column } from "../../parts/data-table.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { numberText } from "../../parts/numbers.ts";
import { Page } from "../../parts/page.tsx";
import { rankKindTexts } from "../../parts/rank-kind-texts.ts";
import { useClan } from "../../parts/use-clan.ts";
import { RanksEditor, type Members } from "./ranks-editor.tsx";

/** How soon changes by other people and by the command line are shown. */
const REFRESH_MS = 5_000;

export function RanksPage() {
  const { clanId, mayChange } = useClan();
  const params = { clanId };
  const settings = useApi("read-ranks", { params }, { refetchMs: REFRESH_MS });
  const members = useApi("count-rank-members", { params }, { refetchMs: REFRESH_MS }).data?.members ?? {};
  return (
    <Page title="Ranks">
      <p className="mb-5 max-w-prose text-muted">
        Members reach ranks by XP at their threshold, and have the lowest of them in any case. Other ranks are given by
        appointment. The guest rank is for players without a membership.
      </p>
      <Loaded query={settings} what="the ranks">
        {(stored) =>
          mayChange ? (
            <RanksEditor key={clanId} clanId={clanId} stored={stored} members={members} />
          ) : (
            <RankList settings={stored} members={members} />
          )
        }
      </Loaded>
    </Page>
  );
}

function columnsFor(members: Members): Column<RankSettings["ranks"][number]>[] {
  return [
    { header: "Name", line: 1, cell: ({ name }) => <span className="font-medium">{name}</span> },
    { header: "Kind", line: 2, cell: ({ kind }) => rankKindTexts[kind] },
    {
      header: "Threshold",
      isNumber: true,
      line: 1,
      cell: ({ threshold }) => (threshold === undefined ? null : numberText(threshold)),
    },
    {
      header: "Members",
      isNumber: true,
      line: 2,
      isLabeled: true,
      cell: ({ name }) => <Count of={members[name] ?? null} none="not yet counted" />,
    },
  ];
}

/** A clan has at least one rank, so the list is never empty. */
function RankList({ settings: { ranks, autoClan }, members }: { settings: RankSettings; members: Members }) {
  return (
    <>
      <DataTable label="Ranks" columns={columnsFor(members)} rows={ranks} keyOf={({ name }) => name} />
      <p className="mt-4">
        Auto Clan is <strong>{autoClan ? "on" : "off"}</strong>.
      </p>
    </>
  );
}
