// What changed in the clan: each event with its member, the newest first.
import { useDeferredValue, useState } from "react";
import type { DeliveryState } from "#domain/destination.ts";
import { eventTypes, type EventType } from "#domain/event.ts";
import { MEMBER_NAME_CHARS_MAX } from "#domain/member-name.ts";
import type { AnyEventResponse } from "#contract/event.ts";
import { changeText, eventTitles } from "#contract/event-text.ts";
import { usePages } from "../../api/use-pages.ts";
import type { Column } from "../../parts/data-table.tsx";
import { DownloadLink } from "../../parts/download-link.tsx";
import { EventName } from "../../parts/event-name.tsx";
import { FilterChips } from "../../parts/filter-chips.tsx";
import { FreeText } from "../../parts/free-text.tsx";
import { MemberLink } from "../../parts/member-name.tsx";
import { Page } from "../../parts/page.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { SelectField } from "../../parts/select-field.tsx";
import { Empty } from "../../parts/states.tsx";
import { TextField } from "../../parts/text-field.tsx";
import { Time } from "../../parts/time.tsx";
import { useClan } from "../../parts/use-clan.ts";
import { eventTitle, type KnownNames } from "./event-title.ts";

const REFRESH_MS = 5_000;

type Filter = { type?: EventType; search?: string };

export function EventsPage() {
  const { clanId } = useClan();
  const [typed, setTyped] = useState("");
  const [type, setType] = useState<EventType | null>(null);
  const search = useDeferredValue(typed.trim());
  const chips = [
    type === null ? [] : { name: "Type", value: eventTitles[type], onRemove: () => setType(null) },
    typed.trim() === "" ? [] : { name: "Search", value: typed, onRemove: () => setTyped("") },
  ].flat();
  const clear = (): void => {
    setType(null);
    setTyped("");
  };
  return (
    <Page
      title="Events"
      actions={
        <DownloadLink endpoint="export-events" params={{ clanId }}>
          Export
        </DownloadLink>
      }
    >
      <p className="mb-5 max-w-prose text-muted">
        What changed in the clan, newest first. Game servers and bots can follow these events, except those about API
        keys.
      </p>
      <div className="mb-5 grid gap-4 sm:max-w-xl sm:grid-cols-2">
        <SelectField
          label="Type"
          options={[["", "All"], ...eventTypes.map((one) => [one, eventTitles[one]] as const)]}
          value={type ?? ""}
          onChange={(event) => setType(eventTypes.find((one) => one === event.target.value) ?? null)}
        />
        <TextField
          label="Search members"
          placeholder="Name or player ID"
          maxLength={MEMBER_NAME_CHARS_MAX}
          type="search"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <FilterChips chips={chips} onClear={clear} />
      <Events clanId={clanId} filter={{ ...(type === null ? {} : { type }), ...(search === "" ? {} : { search }) }} />
    </Page>
  );
}

function Events({ clanId, filter }: { clanId: string; filter: Filter }) {
  const list = usePages("list-events", { params: { clanId }, query: filter }, { refetchMs: REFRESH_MS });
  const pages = list.data?.pages ?? [];
  return (
    <PagedTable
      list={list}
      what="the events"
      label="Events"
      columns={columnsFor(clanId, {
        names: new Map(pages.flatMap(({ names }) => Object.entries(names))),
        boards: new Map(pages.flatMap(({ boards }) => Object.entries(boards))),
        deliveries: Object.fromEntries(pages.flatMap(({ deliveries }) => Object.entries(deliveries))),
      })}
      rows={pages.flatMap((page) => page.events)}
      keyOf={({ id }) => id}
      empty={<NoEvents isFiltered={filter.type !== undefined || filter.search !== undefined} />}
      more="Show older events"
    />
  );
}

function NoEvents({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No events found.">No stored event matches these filters.</Empty>;
  return <Empty title="No events yet.">Changes of ranks and memberships are listed here.</Empty>;
}

type Deliveries = Readonly<Record<string, Partial<Record<DeliveryState, number>>>>;
/** `deliveries`: how many are in each state, by the ids of their events. */
type Known = KnownNames & { deliveries: Deliveries };

function columnsFor(clanId: string, { deliveries, ...known }: Known): Column<AnyEventResponse>[] {
  return [
    { header: "Time", line: 2, cell: ({ timestamp }) => <Time at={timestamp} /> },
    {
      header: "Event",
      line: 1,
      cell: (event) => <EventName title={eventTitle(event, known)} type={event.type} />,
    },
    { header: "Member", line: 1, cell: (event) => <Member clanId={clanId} event={event} names={known.names} /> },
    { header: "Change", line: 2, grows: true, cell: (event) => <FreeText>{changeText(event)}</FreeText> },
    { header: "Deliveries", line: null, cell: ({ id }) => <Deliveries of={deliveries[id] ?? {}} /> },
  ];
}

function Deliveries({ of: counts }: { of: Deliveries[string] }) {
  const states = Object.entries(counts);
  if (states.length === 0) return <span className="text-muted">none</span>;
  return (
    <span className="text-sm">
      {states.map(([state, count]) => (
        <span key={state} className={`whitespace-nowrap xl:block ${state === "failed" ? "text-danger-ink" : ""}`}>
          {count} {state}
        </span>
      ))}
    </span>
  );
}

type MemberProps = { clanId: string; event: AnyEventResponse; names: KnownNames["names"] };

/** With the name that is known now, else with the one at the time of the event. */
function Member({ clanId, event: { data }, names }: MemberProps) {
  if (!("platformId" in data)) return <span className="text-muted">none</span>;
  const { platformId } = data;
  const name = names.get(platformId) ?? ("name" in data ? data.name : null);
  return <MemberLink clanId={clanId} platformId={platformId} name={name} />;
}
