// What the notifier counts for operators.
import type { DestinationKind, DestinationState, RoleOutcomeName } from "#domain/destination.ts";

/** `retried`: a request failed, and its events are tried again. `failed`: for good. */
export const deliveryOutcomes = ["delivered", "retried", "failed", "skipped"] as const;
export type DeliveryOutcome = (typeof deliveryOutcomes)[number];

/** Its methods neither wait nor throw. */
export type NotifierMeter = {
  /** One for each event. `seconds`: the time of its request; null where none was made. */
  delivered(kind: DestinationKind, outcome: DeliveryOutcome, seconds: number | null): void;
  /** The roles of a member, or of so many, were compared. */
  roleSync(outcome: RoleOutcomeName, members?: number): void;
};

/** The state of the whole installation, which every notifier reports. */
export type DestinationsState = {
  destinations: readonly { kind: DestinationKind; state: DestinationState; count: number }[];
  /** Age of the oldest event that an active destination has not received yet; 0: none. Kinds without one are absent. */
  behindOldestSeconds: Partial<Record<DestinationKind, number>>;
  /** How long the member waits whose roles have been due the longest; 0: none. */
  roleSyncOldestSeconds: number;
  /** Destinations whose secrets no key of this process opens. */
  undecryptable: number;
};
