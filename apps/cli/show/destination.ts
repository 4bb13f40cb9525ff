// Destinations and their deliveries in the output of the CLI. Only the result that made a signing secret contains it.
import { deliveryResponse, destinationResponse } from "#contract/dashboard/destination-response.ts";
import type { Delivery, DestinationKind, ShownDestination } from "#domain/destination.ts";
import type { InspectResult } from "#delivery/call-ports.ts";
import type { DestinationRejection } from "#delivery/rejection.ts";
import type { CommandResult } from "../cli.ts";
import { CliError, type CliErrorCode } from "../cli-error.ts";
import { optionFault } from "../parse/destination-options.ts";
import type { Format } from "./format.ts";
import { facts, table } from "./text.ts";

export function destinationResult(shown: ShownDestination): CommandResult {
  return { json: destinationResponse(shown), text: (format) => textOf(shown, format) };
}

/** After a change. `secret`: a signing secret that was made. `roles`: those of the group or server, if they were read. */
export function changedResult(
  shown: ShownDestination,
  { secret, roles }: { secret: string | null; roles: InspectResult["roles"] },
  note = "",
): CommandResult {
  const named = (format: Format) => textOf(shown, format, new Map(roles.map((role) => [role.roleId, role.name])));
  if (secret === null) return { json: destinationResponse(shown), text: (format) => `${named(format)}${note}` };
  const saved = `This is the signing secret. Save it now: it cannot be shown again.${note}`;
  return {
    json: { ...destinationResponse(shown), secret },
    text: (format) => `${named(format)}\n\n  ${secret}\n\n${saved}`,
  };
}

export function destinationsResult(shown: readonly ShownDestination[]): CommandResult {
  return {
    json: { destinations: shown.map(destinationResponse) },
    text: (format) => (shown.length === 0 ? "No destinations yet." : tableOf(shown, format)),
  };
}

function tableOf(shown: readonly ShownDestination[], { time, number }: Format): string {
  const rows = shown.map((one) => [
    one.destinationId,
    one.name,
    one.kind,
    one.sendsTo,
    one.state,
    one.lastDeliveredAt ? time(one.lastDeliveredAt) : "never",
    number(one.behind),
    number(one.failed),
  ]);
  const header = ["DESTINATION", "NAME", "KIND", "SENDS TO", "STATE", "LAST DELIVERY", "BEHIND", "FAILED"];
  return table(header, rows, ["BEHIND", "FAILED"]);
}

export function deliveriesResult(deliveries: readonly Delivery[], hasMore: boolean): CommandResult {
  const more = hasMore ? "\n\nThere are older ones: set a larger --limit." : "";
  return {
    json: { deliveries: deliveries.map(deliveryResponse) },
    text: (format) => `${deliveries.length === 0 ? "No deliveries." : deliveriesText(deliveries, format)}${more}`,
  };
}

function deliveriesText(deliveries: readonly Delivery[], { time }: Format): string {
  const rows = deliveries.map(({ at, type, eventId, state, attempts, nextAt, reason }) => {
    const last = attempts.at(-1);
    const outcome = last ? (last.error === "status" ? (last.status ?? "") : (last.error ?? last.status ?? "")) : "";
    return [
      time(at),
      type,
      eventId,
      state,
      attempts.length.toString(),
      outcome.toString(),
      reason ?? (nextAt ? `next at ${time(nextAt)}` : ""),
    ];
  });
  return table(["TIME", "EVENT", "EVENT ID", "STATE", "TRIES", "RESPONSE", "NOTE"], rows, ["TRIES"]);
}

function textOf(
  shown: ShownDestination,
  { time, number }: Format,
  roleNames: ReadonlyMap<string, string> = new Map(),
): string {
  const { mapping, outcomes, kind } = shown;
  const response = destinationResponse(shown);
  return facts([
    ["destination", shown.destinationId],
    ["clan", shown.clanId],
    ["name", shown.name],
    ["kind", kind],
    ["sends to", shown.sendsTo],
    ...(mapping
      ? []
      : [["events", `${shown.types.join(", ")}${shown.only === "up" ? " (rises and joins only)" : ""}`] as const]),
    ["state", `${shown.state} since ${time(shown.since)}${shown.stateReason ? `: ${shown.stateReason}` : ""}`],
    [
      "behind",
      `${number(shown.behind)} events${shown.oldestBehindS === null ? "" : `, the oldest for ${shown.oldestBehindS} s`}`,
    ],
    ...(mapping
      ? []
      : ([
          ["waiting", number(shown.waiting)],
          ["failed", number(shown.failed)],
        ] as const)),
    ["missed", `${number(shown.missed)}${shown.missed > 0 ? ", deleted by age before they could be sent" : ""}`],
    ["last delivery", shown.lastDeliveredAt ? time(shown.lastDeliveredAt) : "never"],
    ...Object.entries(mapping?.roles ?? {}).map(([rank, roleId]) => {
      const name = roleNames.get(roleId);
      return ["role", `${rank} gives ${name === undefined ? roleId : `${name} (${roleId})`}`] as const;
    }),
    ...(response.requestsPerMinute === undefined
      ? []
      : [["requests a minute", response.requestsPerMinute.toString()] as const]),
    ...(outcomes
      ? Object.entries(response.outcomes ?? {}).map(([name, count]) => [name, `${number(count)} members`] as const)
      : []),
    ["created", `${time(shown.createdAt)} by ${shown.createdBy}`],
  ]);
}

const codes: Record<DestinationRejection["why"], CliErrorCode> = {
  no_clan: "clan_not_found",
  no_destination: "destination_not_found",
  no_event: "event_not_found",
  invalid: "usage",
  too_many: "too_many_destinations",
  no_secrets_key: "secrets_key_missing",
  no_notifier: "no_notifier",
  refused: "destination_rejected",
};

/** `kind`: for the names of the options, if the rejection may be about them. */
export function rejectedDestination({ why, detail, faults }: DestinationRejection, kind?: DestinationKind): CliError {
  const named = kind === undefined ? [] : faults.map((fault) => optionFault(fault, kind));
  if (why !== "invalid" || named.length === 0) return new CliError(codes[why], detail);
  const [first = ""] = named;
  return new CliError(
    "usage",
    named.length === 1 ? `${first.replace(/\.$/, "")}. Nothing was changed.` : `${named.length} invalid arguments:`,
    {
      faults: named,
    },
  );
}

/** The destination as it is now. */
export async function shownOrThrow(
  { one }: { one(destinationId: string): Promise<ShownDestination | null> },
  destinationId: string,
): Promise<ShownDestination> {
  const shown = await one(destinationId);
  if (shown) return shown;
  throw new CliError("destination_not_found", `There is no destination "${destinationId}". ${LISTED}`);
}

const LISTED = "clanxp destination list shows a clan's destinations.";
