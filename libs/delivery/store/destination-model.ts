// The collection of destinations: its documents, and its indexes, each with the query that needs it.
import { index } from "#mongo/collection.ts";
import {
  isRoleKind,
  type Destination,
  type DestinationKind,
  type DestinationState,
  type OnlyChoice,
} from "#domain/destination.ts";
import type { EventType } from "#domain/event.ts";
import type { EventPosition } from "#events/ports.ts";
import type { Lease, RunState, StoredDestination } from "#delivery/ports.ts";

/**
 * `roles`: pairs of a rank and a role id, because a rank's name may have any characters. `rev` counts the changes by
 * people. `holder`: the lease of the notifier that works on it, unless that has ended.
 */
export type DestinationDoc = {
  _id: string;
  clanId: string;
  name: string;
  kind: DestinationKind;
  types: EventType[];
  only: OnlyChoice | null;
  state: DestinationState;
  stateReason: string | null;
  since: Date;
  sendsTo: string;
  mapping: { target: string; roles: [string, string][]; requestsPerMinute: number } | null;
  lastDeliveredAt: Date | null;
  missed: number;
  createdAt: Date;
  createdBy: string;
  sealed: string;
  position: EventPosition | "oldest";
  rev: number;
  run: RunState;
  holder?: Lease & { token: string };
};

export const DESTINATIONS = {
  name: "destinations",
  indexes: [
    // The destinations of a clan.
    index({ clanId: 1, createdAt: 1 }),
  ],
};

/** As the time of a full sync: past by every clock, whichever process writes it (docs/decisions/0036). */
export const DUE_NOW = new Date(0);

/** Of a destination that nothing was sent to. */
export const NEW_RUN: RunState = {
  failures: 0,
  probes: 0,
  nextProbeAt: null,
  restUntil: null,
  fullSyncAt: null,
  syncedAt: null,
};

export function destinationOfDoc(doc: DestinationDoc): StoredDestination {
  const { _id: destinationId, mapping, sealed, position, rev: _rev, run: _run, holder: _holder, ...facts } = doc;
  const roles = mapping && { ...mapping, roles: Object.fromEntries(mapping.roles) };
  return { destination: { destinationId, ...facts, mapping: roles }, sealed, position };
}

export function docOfDestination({ destination, sealed, position }: StoredDestination): DestinationDoc {
  const { destinationId, mapping, types, ...facts } = destination;
  const common = { ...facts, types: [...types], mapping: storedMapping(mapping), sealed, position };
  const fullSyncAt = isRoleKind(destination.kind) ? DUE_NOW : null;
  return { _id: destinationId, ...common, rev: 0, run: { ...NEW_RUN, fullSyncAt } };
}

export function storedMapping(mapping: Destination["mapping"]): DestinationDoc["mapping"] {
  return mapping && { ...mapping, roles: Object.entries(mapping.roles) };
}

/** What of a destination people change, without secrets. */
export function destinationInAudit({ name, kind, types, only, state, sendsTo, mapping }: Destination): object {
  return { name, kind, types, only, state, sendsTo, ...(mapping ? { mapping } : {}) };
}
