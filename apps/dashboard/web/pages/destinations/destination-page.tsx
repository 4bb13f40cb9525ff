// One destination: its state with the reason and the fix, what people can do with it, and what was sent.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "react-router";
import type { DestinationFacts } from "#contract/dashboard/destinations.ts";
import { roleOutcomeNames } from "#domain/destination.ts";
import { call } from "../../api/call.ts";
import { useApi, useInvalidate } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { Fact } from "../../parts/fact.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { numberText } from "../../parts/numbers.ts";
import { Page } from "../../parts/page.tsx";
import { RowMenu } from "../../parts/row-menu.tsx";
import { Failed } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { Note } from "../../parts/toned.tsx";
import { useClan } from "../../parts/use-clan.ts";
import { DeleteDestinationDialog } from "./delete-destination-dialog.tsx";
import { DeliveriesSection } from "./deliveries-section.tsx";
import { DestinationStatus, kindNames } from "./destination-status.tsx";
import { EditDestinationDialog } from "./edit-destination-dialog.tsx";
import { outcomeLooks } from "./member-roles-table.tsx";
import { RolesSection } from "./roles-section.tsx";
import { RotateSecretDialog } from "./rotate-secret-dialog.tsx";
import { SendTest } from "./send-test.tsx";

const REFRESH_MS = 2_000;

type Dialog = "rotate" | "edit" | "delete";

export function DestinationPage() {
  const { destinationId = "" } = useParams();
  const { clanId, mayChange } = useClan();
  const [open, setOpen] = useState<Dialog | null>(null);
  const query = useApi("read-destination", { params: { clanId, destinationId } }, { refetchMs: REFRESH_MS });
  const destination = query.data;
  const close = (): void => setOpen(null);
  return (
    <Page title={destination?.name ?? "Destination"} above={{ label: "Destinations", path: "destinations" }}>
      <Loaded query={query} what="the destination">
        {(facts) => (
          <>
            <State destination={facts} />
            {mayChange ? <Actions destination={facts} onOpen={setOpen} /> : null}
            {facts.roles === undefined ? (
              <DeliveriesSection destination={facts} mayChange={mayChange} />
            ) : (
              <RolesSection destination={facts} mayChange={mayChange} />
            )}
          </>
        )}
      </Loaded>
      {destination && open === "rotate" ? <RotateSecretDialog destination={destination} onClose={close} /> : null}
      {destination && open === "edit" ? <EditDestinationDialog destination={destination} onClose={close} /> : null}
      {destination && open === "delete" ? <DeleteDestinationDialog destination={destination} onClose={close} /> : null}
    </Page>
  );
}

function State({ destination }: { destination: DestinationFacts }) {
  const { kind, state, stateReason, since, sendsTo, types, only, behind, waiting, failed, missed } = destination;
  const { lastDeliveredAt, createdAt, createdBy, roles, outcomes } = destination;
  return (
    <>
      {stateReason === null ? null : (
        <Note
          tone={state === "paused" ? "plain" : state === "failing" ? "warn" : "danger"}
          className="mb-4 wrap-anywhere"
        >
          {stateReason}
        </Note>
      )}
      <dl className="grid grid-cols-2 gap-4 rounded-xl border border-line bg-panel p-4 sm:grid-cols-3">
        <Fact name="Status">
          <DestinationStatus state={state} /> <span className="text-sm font-normal text-muted">since </span>
          <span className="text-sm font-normal">
            <Time at={since} />
          </span>
        </Fact>
        <Fact name="Kind">{kindNames[kind]}</Fact>
        <Fact name="Sends to">
          <span className="wrap-anywhere">{sendsTo}</span>
        </Fact>
        {roles === undefined ? (
          <>
            <Fact name="Behind">{count(behind, "event")}</Fact>
            <Fact name="Waiting">{count(waiting, "event")}</Fact>
            <Fact name="Failed">{count(failed, "event")}</Fact>
            <Fact name="Last delivery">
              <Time at={lastDeliveredAt} />
            </Fact>
            <Fact name="Events">
              <span className="text-sm font-normal">
                {types.join(", ")}
                {only === "up" ? ", only rises and joins" : ""}
              </span>
            </Fact>
          </>
        ) : (
          <Fact name="Members">
            <span className="text-sm font-normal">{membersText(outcomes)}</span>
          </Fact>
        )}
        {missed === 0 ? null : <Fact name="Missed">{count(missed, "event")}, deleted by age before sending</Fact>}
        <Fact name="Added">
          <Time at={createdAt} /> <span className="text-sm font-normal wrap-anywhere text-muted">by {createdBy}</span>
        </Fact>
      </dl>
    </>
  );
}

function membersText(outcomes: DestinationFacts["outcomes"] = {}): string {
  const known = roleOutcomeNames.filter((outcome) => (outcomes[outcome] ?? 0) > 0);
  const counts = known.map((outcome) => `${numberText(outcomes[outcome] ?? 0)} ${outcomeLooks[outcome].text}`);
  return counts.join(", ") || "none yet";
}

function count(number: number, what: string): string {
  return `${numberText(number)} ${what}${number === 1 ? "" : "s"}`;
}

function Actions({ destination, onOpen }: { destination: DestinationFacts; onOpen(dialog: Dialog): void }) {
  const { clanId, destinationId, kind, state, behind, waiting } = destination;
  const params = { clanId, destinationId };
  const invalidate = useInvalidate();
  const change = useMutation({
    mutationFn: (to: "pause" | "resume" | "skip") =>
      to === "pause"
        ? call("pause-destination", { params })
        : call("resume-destination", { params, body: { fromNow: to === "skip" } }),
    onSettled: () => invalidate("read-destination", "list-destinations", "list-disabled-destinations"),
  });
  const isStopped = state !== "active";
  return (
    <div className="my-4 grid gap-3">
      <SendTest destination={destination}>
        {state === "paused" || state === "disabled" ? null : (
          <Button busy={change.isPending} onClick={() => change.mutate("pause")}>
            Pause
          </Button>
        )}
        {isStopped ? (
          <Button kind="primary" busy={change.isPending} onClick={() => change.mutate("resume")}>
            {state === "failing" ? "Try now" : "Resume"}
          </Button>
        ) : null}
        {isStopped && behind + waiting > 0 ? (
          <Button
            busy={change.isPending}
            title="Goes on with what happens from now on"
            onClick={() => change.mutate("skip")}
          >
            Skip what waits
          </Button>
        ) : null}
        <RowMenu
          label={`Actions of ${destination.name}`}
          actions={[
            { label: "Edit", onChoose: () => onOpen("edit") },
            ...(kind === "webhook" ? [{ label: "Rotate secret", onChoose: () => onOpen("rotate") }] : []),
            { label: "Delete", onChoose: () => onOpen("delete") },
          ]}
        />
      </SendTest>
      {change.error ? <Failed error={change.error} /> : null}
    </div>
  );
}
