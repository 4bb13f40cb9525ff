// Where the clan's events go: servers, messages in Discord, and roles that follow the ranks.
import { useState } from "react";
import type { DestinationFacts, DestinationList } from "#contract/dashboard/destinations.ts";
import { eventTitles } from "#contract/event-text.ts";
import type { EventType } from "#domain/event.ts";
import { useApi } from "../../api/use-api.ts";
import { DataTable, type Column } from "../../parts/data-table.tsx";
import { FreeText } from "../../parts/free-text.tsx";
import { DestinationLink } from "../../parts/links.tsx";
import { ListPage } from "../../parts/list-page.tsx";
import { numberText } from "../../parts/numbers.ts";
import { Time } from "../../parts/time.tsx";
import { useClan } from "../../parts/use-clan.ts";
import { AddDestinationDialog } from "./add-destination-dialog.tsx";
import { DestinationStatus, kindNames } from "./destination-status.tsx";

const REFRESH_MS = 5_000;

export function DestinationsPage() {
  const { clanId } = useClan();
  const [isAdding, setIsAdding] = useState(false);
  const list = useApi("list-destinations", { params: { clanId } }, { refetchMs: REFRESH_MS });
  return (
    <ListPage
      title="Destinations"
      about="A destination receives what happens in the clan: your own server, a channel in Discord, or the roles of a Roblox group or a Discord server, which then follow the ranks."
      noun="destination"
      list={list}
      isEmpty={({ destinations }) => destinations.length === 0}
      invitation="Announce rank-ups in Discord, or send them to your server."
      fullText={fullText}
      onAdd={() => setIsAdding(true)}
      dialogs={isAdding ? <AddDestinationDialog clanId={clanId} onClose={() => setIsAdding(false)} /> : null}
    >
      {({ destinations }) => (
        <DataTable
          label="Destinations"
          columns={columns}
          rows={destinations}
          keyOf={({ destinationId }) => destinationId}
        />
      )}
    </ListPage>
  );
}

function fullText({ destinations, max }: DestinationList): string | null {
  if (destinations.length < max) return null;
  return `A clan has at most ${max} destinations. Delete one to add another.`;
}

const columns: Column<DestinationFacts>[] = [
  { header: "Name", line: 1, cell: (destination) => <DestinationLink destination={destination} /> },
  { header: "Kind", line: 2, cell: ({ kind }) => <span className="whitespace-nowrap">{kindNames[kind]}</span> },
  { header: "Sends to", line: 2, cell: ({ sendsTo }) => <FreeText>{sendsTo}</FreeText> },
  {
    header: "Events",
    line: null,
    cell: ({ types, groupId, guildId }) => ((groupId ?? guildId) ? "ranks of members" : <Types types={types} />),
  },
  { header: "Status", line: 1, cell: ({ state }) => <DestinationStatus state={state} /> },
  { header: "Last delivery", line: null, cell: ({ lastDeliveredAt }) => <Time at={lastDeliveredAt} /> },
  { header: "Behind", line: null, isNumber: true, cell: ({ behind }) => numberText(behind) },
];

function Types({ types }: { types: readonly EventType[] }) {
  return (
    <span className="text-sm">
      {types.map((type, index) => (
        <span key={type} className="inline-block">
          {eventTitles[type]}
          {index < types.length - 1 ? ",\u00a0" : ""}
        </span>
      ))}
    </span>
  );
}
