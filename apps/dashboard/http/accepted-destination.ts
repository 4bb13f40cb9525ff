// What the routes of destinations share: a destination of the clan in the path, and rejections as problems.
import type { DashboardCode } from "#contract/dashboard/problem.ts";
import type { ShownDestination } from "#domain/destination.ts";
import type { ShowDestinations } from "#delivery/show-destinations.ts";
import type { DestinationRejection } from "#delivery/rejection.ts";
import { DashboardError } from "../http/dashboard-error.ts";

export type ShownOf = (clanId: string, destinationId: string) => Promise<ShownDestination>;

/** A destination of another clan is treated as unknown. */
export function makeShownOf(show: Pick<ShowDestinations, "one">): ShownOf {
  return async (clanId, destinationId) => {
    const shown = await show.one(destinationId);
    if (shown?.clanId === clanId) return shown;
    throw new DashboardError("destination_not_found", "This clan has no such destination.");
  };
}

const codes: Record<DestinationRejection["why"], DashboardCode> = {
  no_clan: "not_found",
  no_destination: "destination_not_found",
  no_event: "not_found",
  invalid: "invalid_request",
  too_many: "conflict",
  no_secrets_key: "conflict",
  no_notifier: "no_notifier",
  refused: "conflict",
};

/** Throws for a rejection. */
export function accepted<Done extends { kind: string }>(
  outcome: Done | DestinationRejection,
): Exclude<Done, DestinationRejection> {
  if (!isRejection(outcome)) return outcome as Exclude<Done, DestinationRejection>;
  throw new DashboardError(codes[outcome.why], outcome.detail, { faults: outcome.faults });
}

function isRejection(outcome: { kind: string }): outcome is DestinationRejection {
  return outcome.kind === "rejected";
}
