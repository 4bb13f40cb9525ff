// The members whom the public page shows as Hidden player. An owner can show those again whom an owner has hidden.
import type { HiddenPlayer } from "#contract/dashboard/public-page.ts";
import { usePages } from "../../api/use-pages.ts";
import { useAction } from "../../api/use-action.ts";
import { Button } from "../../parts/button.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { MemberLink } from "../../parts/member-name.tsx";
import { memberText } from "../../parts/member-text.ts";
import { PagedTable } from "../../parts/paged-table.tsx";
import { Empty, Failed } from "../../parts/states.tsx";

export function HiddenPlayers({ clanId }: { clanId: string }) {
  const list = usePages("list-hidden-players", { params: { clanId } });
  const show = useAction(
    "hide-player",
    ({ platformId }: HiddenPlayer) => ({ params: { clanId, platformId }, body: { hidden: false } }),
    {
      note: (_, player) => ({ title: `${memberText(player)} is shown again` }),
      refreshes: ["list-hidden-players", "read-public-page"],
    },
  );
  return (
    <>
      {show.error ? <Failed error={show.error} /> : null}
      <PagedTable
        list={list}
        what="the hidden players"
        label="Hidden players"
        columns={columnsFor(clanId)}
        rows={list.data?.pages.flatMap(({ players }) => players) ?? []}
        keyOf={({ platformId }) => platformId}
        actionsOf={(player) =>
          player.hiddenBy.includes("owner") ? (
            <Button size="small" onClick={() => show.mutate(player)}>
              Show again
            </Button>
          ) : null
        }
        empty={
          <Empty title="Nobody is hidden.">To hide a player, choose Hide on public page in the list of members.</Empty>
        }
        more="Show more"
      />
    </>
  );
}

function columnsFor(clanId: string): Column<HiddenPlayer>[] {
  return [
    {
      header: "Player",
      line: 1,
      cell: ({ platformId, name }) => <MemberLink clanId={clanId} platformId={platformId} name={name} />,
    },
    { header: "Hidden by", line: 2, isLabeled: true, cell: ({ hiddenBy }) => hiddenBy.map(textOf).join(", ") },
  ];
}

function textOf(by: HiddenPlayer["hiddenBy"][number]): string {
  return by === "owner" ? "an owner" : "the game";
}
