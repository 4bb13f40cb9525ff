// What became of each event for a destination, newest first, and sending events again.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { DeliveryState } from "#domain/destination.ts";
import type { DeliveryFacts } from "#contract/dashboard/destination-records.ts";
import type { DestinationFacts } from "#contract/dashboard/destinations.ts";
import { eventTitles } from "#contract/event-text.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { usePages } from "../../api/use-pages.ts";
import { Aside } from "../../parts/aside.tsx";
import { Button } from "../../parts/button.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { EventName } from "../../parts/event-name.tsx";
import { errorText } from "../../parts/error-texts.ts";
import { FreeText } from "../../parts/free-text.tsx";
import { MemberLink } from "../../parts/member-name.tsx";
import { numberText } from "../../parts/numbers.ts";
import { PagedTable } from "../../parts/paged-table.tsx";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { useToast } from "../../parts/toasts.tsx";
import { Pill, type Look } from "../../parts/toned.tsx";
import { CheckField } from "./check-field.tsx";
import { ResendFailedDialog } from "./resend-failed-dialog.tsx";

const REFRESH_MS = 2_000;

type Props = { destination: DestinationFacts; mayChange: boolean };

export function DeliveriesSection({ destination, mayChange }: Props) {
  const { clanId, destinationId, failed } = destination;
  const [isFailedOnly, setIsFailedOnly] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const query = isFailedOnly ? { state: "failed" as const } : {};
  const list = usePages("list-deliveries", { params: { clanId, destinationId }, query }, { refetchMs: REFRESH_MS });
  return (
    <>
      <div className="mt-6 mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">Deliveries</h2>
        <div className="flex flex-wrap items-center gap-4">
          <CheckField
            label="Failed"
            checked={isFailedOnly}
            onChange={(event) => setIsFailedOnly(event.target.checked)}
          />
          {mayChange && failed > 0 ? (
            <Button size="small" onClick={() => setIsAsking(true)}>
              Send failed again…
            </Button>
          ) : null}
        </div>
      </div>
      <PagedTable
        list={list}
        what="the deliveries"
        label="Deliveries"
        columns={columnsFor(clanId)}
        rows={list.data?.pages.flatMap(namedNow) ?? []}
        keyOf={({ eventId }) => eventId}
        actionsOf={
          mayChange &&
          (({ eventId, n, state }) =>
            state === "erased" ? null : <SendAgain params={{ clanId, destinationId }} event={{ eventId, n }} />)
        }
        empty={
          isFailedOnly ? (
            <Empty title="No delivery has failed." />
          ) : (
            <Empty title="Nothing was sent yet.">The next event of these types is listed here.</Empty>
          )
        }
        more="Show older deliveries"
      />
      {isAsking ? <ResendFailedDialog destination={destination} onClose={() => setIsAsking(false)} /> : null}
    </>
  );
}

function namedNow({ deliveries, names }: { deliveries: DeliveryFacts[]; names: Record<string, string> }) {
  const nameOf = new Map(Object.entries(names));
  return deliveries.map(({ member, ...delivery }) => {
    return { ...delivery, member: member && { ...member, name: nameOf.get(member.platformId) ?? member.name } };
  });
}

const looks: Record<DeliveryState, Look> = {
  delivered: { text: "Delivered", tone: "good", title: "The receiver accepted it." },
  waiting: { text: "Waiting", tone: "plain", title: "It is sent next, or tried again." },
  held: { text: "Held", tone: "plain", title: "An earlier event of this member is not delivered yet." },
  failed: { text: "Failed", tone: "danger", title: "It is not tried again by itself." },
  skipped: { text: "Skipped", tone: "plain", title: "It was not sent." },
  erased: { text: "Erased", tone: "plain", title: "The event was about an erased person." },
};

function columnsFor(clanId: string): Column<DeliveryFacts>[] {
  return [
    { header: "Time", line: 2, cell: ({ at }) => <Time at={at} /> },
    {
      header: "Event",
      line: 1,
      cell: ({ type }) => <EventName title={eventTitles[type]} type={type} />,
    },
    {
      header: "Member",
      line: 1,
      cell: ({ member }) =>
        member ? <MemberLink clanId={clanId} {...member} /> : <span className="text-muted">none</span>,
    },
    { header: "Tries", line: null, cell: ({ attempts }) => <Tries attempts={attempts} /> },
    { header: "Status", line: 1, cell: (delivery) => <Status delivery={delivery} /> },
    { header: "Response", line: null, cell: ({ attempts }) => <Response attempt={attempts.at(-1)} /> },
  ];
}

type Attempt = DeliveryFacts["attempts"][number];

function Tries({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return "0";
  return (
    <details>
      <summary className="cursor-pointer tabular-nums">{attempts.length}</summary>
      <ol className="mt-1 grid gap-1 text-left text-sm">
        {attempts.map((attempt) => (
          <li key={attempt.at}>
            <Time at={attempt.at} isExact />
            <span className="block text-muted">
              {outcomeOf(attempt)} after {numberText(attempt.ms)} ms
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}

function outcomeOf({ status, error }: Attempt): string {
  return status === null ? (error ?? "") : `status ${status}`;
}

function Status({ delivery: { state, reason, nextAt } }: { delivery: DeliveryFacts }) {
  return (
    <>
      <Pill look={looks[state]} />
      {reason === null ? null : <Aside>{reason}</Aside>}
      {nextAt === null || state !== "waiting" ? null : (
        <Aside>
          next try <Time at={nextAt} mayBeAhead />
        </Aside>
      )}
    </>
  );
}

function Response({ attempt }: { attempt: Attempt | undefined }) {
  if (!attempt) return <span className="text-muted">none</span>;
  return (
    <>
      <span className="whitespace-nowrap">{outcomeOf(attempt)}</span>
      {attempt.response === null || attempt.response === "" ? null : (
        <span className="text-sm text-muted xl:line-clamp-3" title={attempt.response}>
          <FreeText>{attempt.response}</FreeText>
        </span>
      )}
    </>
  );
}

type Sent = Pick<DeliveryFacts, "eventId" | "n">;

function SendAgain({ params, event }: { params: { clanId: string; destinationId: string }; event: Sent }) {
  const invalidate = useInvalidate();
  const toast = useToast();
  const resend = useMutation({
    mutationFn: () => call("resend-deliveries", { params, body: event }),
    onSuccess: () => toast({ title: "The event is sent again" }),
    onError: (error) => toast({ title: "It was not sent again", description: errorText(error) }),
    onSettled: () => invalidate("list-deliveries", "read-destination"),
  });
  return (
    <Button size="small" busy={resend.isPending} onClick={() => resend.mutate()}>
      Send again
    </Button>
  );
}
