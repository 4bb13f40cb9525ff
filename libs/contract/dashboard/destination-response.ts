// Converts destinations and deliveries to what people receive, on the command line and in the dashboard.
import type { DeliveryFacts } from "#contract/dashboard/destination-records.ts";
import type { DestinationFacts } from "#contract/dashboard/destinations.ts";
import {
  isRoleKind,
  outcomeName,
  roleOutcomes,
  type Delivery,
  type DestinationKind,
  type RoleOutcome,
  type RoleOutcomeName,
  type ShownDestination,
} from "#domain/destination.ts";

export function destinationResponse(shown: ShownDestination): DestinationFacts {
  const { since, lastDeliveredAt, createdAt, types, kind, only, mapping, outcomes, ...facts } = shown;
  return {
    ...facts,
    kind,
    types: [...types],
    ...(only === null ? {} : { only }),
    since: since.toISOString(),
    lastDeliveredAt: lastDeliveredAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    ...(mapping ? mappingFacts(kind, mapping) : {}),
    ...(outcomes ? { outcomes: outcomeFacts(kind, outcomes) } : {}),
  };
}

function mappingFacts(kind: DestinationKind, { target, roles, requestsPerMinute }: Mapping): Partial<DestinationFacts> {
  return kind === "discord-roles"
    ? { guildId: target, roles: { ...roles } }
    : { groupId: target, roles: { ...roles }, requestsPerMinute };
}

type Mapping = NonNullable<ShownDestination["mapping"]>;

function outcomeFacts(
  kind: DestinationKind,
  outcomes: Readonly<Record<RoleOutcome, number>>,
): Partial<Record<RoleOutcomeName, number>> {
  return Object.fromEntries(roleOutcomes.map((outcome) => [outcomeName(kind, outcome), outcomes[outcome]]));
}

export function outcomeNamed(kind: DestinationKind, name: string): RoleOutcome | null {
  return roleOutcomes.find((outcome) => isRoleKind(kind) && outcomeName(kind, outcome) === name) ?? null;
}

export function deliveryResponse(delivery: Delivery): Omit<DeliveryFacts, "n" | "member" | "at"> {
  const { eventId, type, state, attempts, nextAt, reason } = delivery;
  return {
    eventId,
    type,
    state,
    attempts: attempts.map(({ at, ms, status, error, response }) => ({
      at: at.toISOString(),
      ms,
      status,
      error,
      response,
    })),
    nextAt: nextAt?.toISOString() ?? null,
    reason,
  };
}
