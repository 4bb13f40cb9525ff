// Lists, adds and ends the clan's boosts.
import { useState } from "react";
import type { BoostList, ListedBoost } from "#contract/dashboard/boosts.ts";
import { factorOf, type BoostStatus } from "#domain/boost.ts";
import { useApi } from "../../api/use-api.ts";
import { DataTable, type Column } from "../../parts/data-table.tsx";
import { ListPage } from "../../parts/list-page.tsx";
import { Name } from "../../parts/name.tsx";
import { RowMenu } from "../../parts/row-menu.tsx";
import { Pill, type Look } from "../../parts/toned.tsx";
import { ZonedTime } from "../../parts/time.tsx";
import { useClan } from "../../parts/use-clan.ts";
import { AddBoostDialog } from "./add-boost-dialog.tsx";
import { EndBoostDialog } from "./end-boost-dialog.tsx";

/** How soon the beginning and the end of a boost are shown. */
const REFRESH_MS = 5_000;

type Open = { dialog: "add"; ranks: readonly string[] } | { dialog: "end"; boost: ListedBoost };

export function BoostsPage() {
  const { clanId, mayChange } = useClan();
  const list = useApi("list-boosts", { params: { clanId } }, { refetchMs: REFRESH_MS });
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const ranks = list.data?.ranks ?? [];
  return (
    <ListPage
      title="Boosts"
      about="A boost raises the awards that game servers send while it runs. Of several, the one with the highest factor acts alone. Times are shown in your time zone and in UTC."
      noun="boost"
      list={list}
      isEmpty={({ boosts }) => boosts.length === 0}
      invitation="Double the XP of a weekend or an event."
      fullText={fullText}
      onAdd={() => setOpen({ dialog: "add", ranks })}
      dialogs={
        <>
          {open?.dialog === "add" ? <AddBoostDialog clanId={clanId} ranks={open.ranks} onClose={close} /> : null}
          {open?.dialog === "end" ? <EndBoostDialog clanId={clanId} boost={open.boost} onClose={close} /> : null}
        </>
      }
    >
      {({ boosts }) => (
        <DataTable
          label="Boosts"
          columns={columns}
          rows={boosts}
          keyOf={({ boostId }) => boostId}
          actionsOf={mayChange && ((boost) => <Actions boost={boost} onOpen={setOpen} />)}
        />
      )}
    </ListPage>
  );
}

function fullText({ open, openMax }: BoostList): string | null {
  return open >= openMax ? `${open} of ${openMax} boosts have not ended. End one to add another.` : null;
}

const columns: Column<ListedBoost>[] = [
  {
    header: "Name",
    line: 1,
    cell: ({ name }) => (
      <b className="font-medium">
        <Name>{name}</Name>
      </b>
    ),
  },
  { header: "Factor", line: 1, isNumber: true, cell: ({ percent }) => `×${factorOf(percent)}` },
  { header: "Applies to", line: null, cell: (boost) => <AppliesTo boost={boost} /> },
  { header: "Starts", line: null, cell: ({ from }) => <ZonedTime at={from} /> },
  { header: "Ends", line: 2, isLabeled: true, cell: ({ to, endedAt }) => <ZonedTime at={endedAt ?? to} /> },
  { header: "Status", line: 1, cell: ({ status }) => <Pill look={looks[status]} /> },
];

function AppliesTo({ boost: { ranks, placeIds } }: { boost: ListedBoost }) {
  if (ranks.length === 0 && placeIds.length === 0) return "Every award";
  return (
    <>
      {ranks.length > 0 ? <span className="xl:block">Ranks: {ranks.join(", ")} </span> : null}
      {placeIds.length > 0 ? <span className="xl:block">Places: {placeIds.join(", ")}</span> : null}
    </>
  );
}

function Actions({ boost, onOpen }: { boost: ListedBoost; onOpen(open: Open): void }) {
  if (boost.status === "ended") return null;
  const end = { label: "End", onChoose: () => onOpen({ dialog: "end", boost }) };
  return <RowMenu label={`Actions of ${boost.name}`} actions={[end]} />;
}

const looks: Record<BoostStatus, Look> = {
  coming: { text: "Coming", tone: "warn", title: "It has not begun yet." },
  running: { text: "Running", tone: "good", title: "Awards are raised now." },
  ended: { text: "Ended", tone: "plain", title: "It raises no more awards. Those that it raised stay raised." },
};
