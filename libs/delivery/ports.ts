// What destinations need from the outside: stores, secrets, and requests to strangers. Stores throw AppError
// `unavailable`, and changes by people `outcome_unknown` too.
import type { Actor } from "#domain/audit.ts";
import type {
  Attempt,
  AttemptError,
  Delivery,
  DeliveryState,
  Destination,
  DestinationSecrets,
  DestinationState,
} from "#domain/destination.ts";
import type { ClanEvent } from "#domain/event.ts";
import type { Page } from "#domain/page.ts";
import type { EventPosition } from "#events/ports.ts";

/** Encrypts secrets at rest. `context`: what they belong to; a sealed text opens in the same context only. */
export type Sealer = {
  seal(text: string, context: string): string;
  /** Null if no key opens it. */
  open(sealed: string, context: string): string | null;
};

/** A request to a stranger: an address that a person entered, or a fixed service. Times are milliseconds. */
export type OutboundRequest = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  timeoutMs: number;
  /** How much of the response's body is read, and for how long after its headers; the rest is not waited for. */
  bodyBytesMax: number;
  bodyMsMax?: number;
};

/** `headers`: by lower-case names. `body`: at most `bodyBytesMax` of it, as text. */
export type OutboundResult =
  | { kind: "response"; status: number; headers: Readonly<Record<string, string>>; body: string; ms: number }
  | { kind: "error"; error: Exclude<AttemptError, "status">; detail: string; ms: number };

/** Sends a request if its address may be reached. Never throws, never follows a redirect. */
export type SendOutbound = (request: OutboundRequest) => Promise<OutboundResult>;

/**
 * What follows from a request. `failed`: tried again later, as often as an event is tried. `refused`: these events never
 * arrive, and are not tried again. `rest`: nothing is sent to this destination for so long, and no attempt was made.
 */
export type Verdict =
  | { kind: "delivered" }
  | { kind: "failed" }
  | { kind: "refused" }
  | { kind: "rest"; forMs: number }
  | { kind: "disable"; reason: string };

/** `response`: not filtered yet. `detail`: why there was none, or what the status means, in a sentence. */
export type Sent = Omit<Attempt, "at"> & { verdict: Verdict; detail?: string };

/** How messages of a kind are sent: `eventsMax` in a request, `atOnceMax` requests of a destination at a time. */
export type Courier = {
  eventsMax: number;
  atOnceMax: number;
  /** Never throws. Events are in their order. */
  send(destination: Destination, secrets: DestinationSecrets, events: readonly ClanEvent[]): Promise<Sent>;
  /** One message instead of so many; absent where each event is sent. */
  summary?: {
    /** More events than this that wait are summarized. */
    above: number;
    send(destination: Destination, secrets: DestinationSecrets, events: readonly ClanEvent[]): Promise<Sent>;
  };
  /** A sample, outside of log, order and state. */
  test(destination: Destination, secrets: DestinationSecrets): Promise<Sent>;
};

/**
 * One stop for the requests of all clans to Discord, which bans an address after too many rejected requests, and the
 * rest that its global limit asks for. A clan whose requests are rejected stops long before it.
 */
export type DiscordStop = {
  /** How long no request of this clan may be sent; 0: it may. */
  restMs(clanId: string): Promise<number>;
  /** A response with status 401, 403 or 429 arrived. */
  noteRefusal(clanId: string): Promise<void>;
  /** Its global limit was reached. */
  rest(forMs: number): Promise<void>;
};

export type CountsOf = { waiting: number; failed: number; untried: { count: number; oldestAt: Date | null } };

/** The fields that a person changes. `sealed`: the secrets, encrypted. */
export type DestinationChange = Partial<
  Pick<Destination, "name" | "types" | "only" | "state" | "stateReason" | "sendsTo" | "mapping"> & { sealed: string }
>;

/** `position`: the last event that was taken, or "oldest" before any was. */
export type StoredDestination = { destination: Destination; sealed: string; position: EventPosition | "oldest" };

/** `rev` changes with each change by people. */
export type ReadDestination = StoredDestination & { rev: number };

export type DestinationStore = {
  read(destinationId: string): Promise<ReadDestination | null>;
  listOfClan(clanId: string): Promise<StoredDestination[]>;
  /** `too_many`: the clan already has `max`. */
  add(added: StoredDestination, options: { max: number }, by: Actor): Promise<"added" | "too_many" | "no_clan">;
  /**
   * The destination after the change; null if there is none. "outdated", and nothing is changed, if somebody has changed
   * it since `rev` was read. `skip`: sends nothing up to this position any more; deliveries that wait are skipped with
   * this reason. Its notifier notices the change within a second.
   */
  change(
    destinationId: string,
    change: DestinationChange & { skip?: { to: EventPosition; reason: string } },
    options: { action: DestinationAction; rev: number },
    by: Actor,
  ): Promise<Destination | "outdated" | null>;
  /** With its deliveries and what is known of its members' roles. False if there is none. */
  remove(destinationId: string, by: Actor): Promise<boolean>;
};

export type DestinationAction = "destination.set" | "destination.pause" | "destination.resume" | "destination.rotate";

export type DeliveryLog = Pick<DeliveryRecord, "listWaiting"> & {
  /** Newest first. `held` is not a stored state: such a delivery is listed as `waiting`. */
  page(
    destinationId: string,
    options: { states: readonly DeliveryState[] | null; before: number | null; limit: number },
  ): Promise<Page<Delivery, number>>;
  /** The numbers of the failed ones above `after`, in order. */
  listFailed(destinationId: string, after: number, limit: number): Promise<number[]>;
  /**
   * Sends once more: deliveries of these events in whatever state, or those of these numbers that have failed. At most
   * a thousand in a call. Returns how many.
   */
  resend(
    destinationId: string,
    which: { failed: readonly number[] } | { events: readonly ClanEvent[] },
    by: Actor,
  ): Promise<number>;
  counts(destinationIds: readonly string[]): Promise<ReadonlyMap<string, CountsOf>>;
};

/** How many deliveries of each of these events are in each state, by the ids of the events that have any. */
export type ReadDeliveryStates = (
  clanId: string,
  events: readonly Pick<ClanEvent, "n">[],
) => Promise<ReadonlyMap<string, Partial<Record<DeliveryState, number>>>>;

/**
 * A destination that this process works on, and no other one. `signal` aborts when it is lost, was changed by a person,
 * or the process stops; what is in flight is completed. `isHeld`: whether another process can still not have taken it;
 * asked before each request.
 */
export type HeldDestination = {
  destination: Destination;
  secrets: DestinationSecrets;
  position: EventPosition | "oldest";
  run: RunState;
  /** Of this process's hold, and of the changes by people: a write with others of them changes nothing. */
  token: string;
  rev: number;
  signal: AbortSignal;
  isHeld(): boolean;
  /** By MongoDB's clock. */
  now(): Date;
};

/**
 * `failures`: in a row, with no success between. `probes`: made since it is failing. `restUntil`: a receiver has asked
 * for a rest. `fullSyncAt`: when all members' roles are to be compared; null: never. `syncedAt`: the last time.
 */
export type RunState = {
  failures: number;
  probes: number;
  nextProbeAt: Date | null;
  restUntil: Date | null;
  fullSyncAt: Date | null;
  syncedAt: Date | null;
};

/** What the holder of a destination stores of it. */
export type RunChange = Partial<RunState> & {
  state?: DestinationState;
  stateReason?: string | null;
  since?: Date;
  lastDeliveredAt?: Date;
};

export type HeldBy = Pick<HeldDestination, "destination" | "token" | "rev">;

/**
 * Changes by the process that holds a destination. Each returns false, and changes nothing, if it is not held any more,
 * or was changed by a person.
 */
export type RunStore = {
  note(held: HeldBy, change: RunChange): Promise<boolean>;
  /** As `note`, and the clan's other destinations receive `destination.disabled`. */
  disable(held: HeldBy, by: { reason: string; at: Date }): Promise<boolean>;
  /** Adds deliveries that wait, and moves the position to `reached`. `missed`: events that were deleted by age. */
  take(held: HeldBy, taken: { events: readonly ClanEvent[]; reached: EventPosition; missed: number }): Promise<boolean>;
  /** Skips deliveries that wait, and counts them as missed, except those that a person has sent again. */
  miss(held: HeldBy, which: { numbers: readonly number[]; reason: string }): Promise<boolean>;
};

/** What became of deliveries after a request. `reason`: why one was skipped. */
export type DeliveryResult = {
  n: number;
  state: Exclude<DeliveryState, "held">;
  attempt: Attempt | null;
  /** How many attempts counted before; stored with another number, a person has sent it again since. Null: whatever. */
  tried: number | null;
  /** Whether the attempt counts: a rest and a probe do not. */
  counts: boolean;
  nextAt: Date | null;
  reason: string | null;
};

/** A delivery that waits, as its process needs it. `again`: sent once more by a person, outside of the order. */
export type WaitingDelivery = Delivery & { tried: number; again: boolean };

export type DeliveryRecord = {
  /** In order; with numbers above `after`. */
  listWaiting(destinationId: string, limit: number, after?: number): Promise<WaitingDelivery[]>;
  /** False if not all of them waited as the results say: what is known of the destination is to be read again. */
  record(destinationId: string, results: readonly DeliveryResult[]): Promise<boolean>;
  /** Deletes at most `limit` finished ones that are older than this by MongoDB's clock; returns how many. */
  deleteOld(options: { olderThanMs: number; limit: number }): Promise<number>;
};

/** The right of a notifier to work on what it holds. `leaseId`: never used again after the lease has ended. */
export type Lease = { notifierId: string; leaseId: string };

/** `holder`: the id of the lease that it was claimed with last. `rev` changes with each change by a person. */
export type ListedDestination = { destinationId: string; clanId: string; rev: number; holder: string | null };

export type ClaimedDestination = StoredDestination & { run: RunState; rev: number };

/** Who works on which destination. */
export type HoldStore = {
  /** The notifier has this lease from now on, and no other one. Returns MongoDB's time. */
  begin(lease: Lease): Promise<Date>;
  /** As `begin`, for the lease that it has; null if that has ended. */
  renew(lease: Lease): Promise<Date | null>;
  /**
   * Every destination, and the notifiers with their leases, as they are afterwards: a lease that is not among them has
   * ended for ever. Those that were not renewed for `silentMs` are silent, and end now.
   */
  list(options: { silentMs: number }): Promise<{
    destinations: ListedDestination[];
    notifiers: (Lease & { isSilent: boolean })[];
    /** People ask for something that no notifier has taken on. */
    isAsked: boolean;
  }>;
  /**
   * Those of these that nobody holds, that this lease has already, or that one of the `ended` leases had. `token`: of this
   * hold, so that no write of an earlier one is made late.
   */
  claim(
    destinationIds: readonly string[],
    by: { lease: Lease; token: string; ended: readonly string[] },
  ): Promise<ClaimedDestination[]>;
  release(destinationIds: readonly string[], lease: Lease): Promise<void>;
  /** This process is about to exit: the lease ends. */
  leave(lease: Lease): Promise<void>;
};
