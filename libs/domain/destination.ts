// Destinations: receivers of a clan's events by HTTP (docs/concepts/destinations.md).
import { isPlainText } from "#domain/bounds.ts";
import type { EventType } from "#domain/event.ts";

/** `webhook` and `discord` receive each event once; the others make roles elsewhere follow the members' ranks. */
export const messageKinds = ["webhook", "discord"] as const;
export const roleKinds = ["roblox-group", "discord-roles"] as const;
export const destinationKinds = [...messageKinds, ...roleKinds] as const;
export type MessageKind = (typeof messageKinds)[number];
export type RoleKind = (typeof roleKinds)[number];
export type DestinationKind = (typeof destinationKinds)[number];

export function isRoleKind(kind: DestinationKind): kind is RoleKind {
  const kinds: readonly DestinationKind[] = roleKinds;
  return kinds.includes(kind);
}

/**
 * `failing`: after failures in a row, it is only probed. `disabled`: nothing is sent until a person resumes it. Both it
 * and a `paused` one keep their place.
 */
export const destinationStates = ["active", "paused", "failing", "disabled"] as const;
export type DestinationState = (typeof destinationStates)[number];

export const DESTINATIONS_PER_CLAN_MAX = 10;
export const DESTINATION_NAME_CHARS_MAX = 64;
export const DESTINATION_URL_CHARS_MAX = 2_048;
export const REQUESTS_PER_MINUTE_MIN = 10;
export const REQUESTS_PER_MINUTE_MAX = 250;
export const REQUESTS_PER_MINUTE_DEFAULT = 120;

/** What of its events a Discord destination sends alone: rises and joins, or the results of periods. */
export const onlyChoices = ["up", "summaries"] as const;
export type OnlyChoice = (typeof onlyChoices)[number];
/** The events of a destination of summaries. */
export const summaryTypes = ["period.final"] as const satisfies EventType[];

/** Counts code points: an emoji is one character, which UTF-16 stores as two. */
export function isDestinationName(name: string): boolean {
  return isPlainText(name) && [...name].length <= DESTINATION_NAME_CHARS_MAX;
}

/** Events of new destinations, if nothing else is chosen. */
export const destinationTypesDefault = [
  "member.rank_changed",
  "member.joined",
  "member.left",
] as const satisfies EventType[];

/**
 * Which role of a Roblox group or a Discord server each rank gives. `target`: the id of the group or server. `roles`:
 * role ids by the names of ranks; a rank that is not in it gives none. `requestsPerMinute`: of Roblox; unused for Discord.
 */
export type RoleMapping = { target: string; roles: Readonly<Record<string, string>>; requestsPerMinute: number };

/** What people see and set, without secrets. */
export type Destination = {
  destinationId: string;
  clanId: string;
  name: string;
  kind: DestinationKind;
  types: readonly EventType[];
  /** Of Discord messages; null: all of its types. */
  only: OnlyChoice | null;
  state: DestinationState;
  /** Why it is paused, failing or disabled, in a sentence with what to do; null if active. */
  stateReason: string | null;
  /** When it entered its state. */
  since: Date;
  /** Where it sends to, masked. */
  sendsTo: string;
  /** Of role kinds; null for others. */
  mapping: RoleMapping | null;
  lastDeliveredAt: Date | null;
  /** Events that were deleted by age before they could be sent. */
  missed: number;
  createdAt: Date;
  createdBy: string;
};

/**
 * What is encrypted at rest. `signing`: secrets of a webhook, `whsec_…`, the newest first; each signs until its
 * `endsAt`. `credential`: an Open Cloud key or a bot token.
 */
export type DestinationSecrets =
  | { kind: "webhook"; url: string; signing: readonly { secret: string; endsAt: Date | null }[] }
  | { kind: "discord"; url: string }
  | { kind: RoleKind; credential: string };

/** Why an attempt failed without a response, or `status` for a response other than 200 to 299. */
export const attemptErrors = ["timeout", "connection", "tls", "dns", "blocked_address", "status"] as const;
export type AttemptError = (typeof attemptErrors)[number];

/** One request of a delivery. `response`: the start of its body, null where it may name a member or a reason. */
export type Attempt = {
  at: Date;
  ms: number;
  status: number | null;
  error: AttemptError | null;
  response: string | null;
};

/** `held`: an earlier event of the same member is not delivered yet. */
export const deliveryStates = ["delivered", "waiting", "held", "failed", "skipped", "erased"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** One event for one destination. `n`: the event's number. `at`: the time of the change. */
export type Delivery = {
  destinationId: string;
  n: number;
  eventId: string;
  type: EventType;
  at: Date;
  state: DeliveryState;
  attempts: readonly Attempt[];
  nextAt: Date | null;
  reason: string | null;
};

/** What became of one member's roles. */
export const roleOutcomes = ["synced", "not_there", "not_an_id", "protected", "refused", "waiting"] as const;
export type RoleOutcome = (typeof roleOutcomes)[number];

/** The same as people see it, and metrics count it: two outcomes have a name for each kind. */
export const roleOutcomeNames = [
  "synced",
  "not_in_group",
  "not_in_server",
  "not_roblox",
  "not_discord",
  "protected",
  "refused",
  "waiting",
] as const;
export type RoleOutcomeName = (typeof roleOutcomeNames)[number];

export function outcomeName(kind: DestinationKind, outcome: RoleOutcome): RoleOutcomeName {
  const isDiscord = kind === "discord-roles";
  if (outcome === "not_there") return isDiscord ? "not_in_server" : "not_in_group";
  if (outcome === "not_an_id") return isDiscord ? "not_discord" : "not_roblox";
  return outcome;
}

/**
 * `behind`: matching events that no attempt was made for yet, and the age of the oldest one. `outcomes`: members by what
 * became of their roles; null unless the kind is one of roles.
 */
export type ShownDestination = Destination & {
  behind: number;
  oldestBehindS: number | null;
  waiting: number;
  failed: number;
  outcomes: Readonly<Record<RoleOutcome, number>> | null;
};
