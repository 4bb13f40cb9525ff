// The public types. The API's types are in wire.ts; this file has those that the client adds, and those that callers
// pass.
import type { ClanXpError } from "./error.ts";
import type {
  AwardAnswer,
  AwardsResult,
  AwardSource,
  BatchAward,
  BatchResult,
  Entry,
  Event,
  Member,
  ReversalBy as Selection,
  Xp,
} from "./wire.ts";

/** Runtimes without the DOM's types have these under other names; a project that has neither still compiles. */
type Fetch = typeof globalThis extends { fetch: infer Type }
  ? Type
  : (input: string, init?: object) => Promise<unknown>;
type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Type } }
  ? Type
  : { readonly aborted: boolean };

export type ClanXpOptions = {
  /** The address of the API, for example `https://xp.example.com`. */
  baseUrl: string;
  clanId: string;
  /** The API key, or a function that returns it and is called before every attempt, for keys that are rotated. */
  apiKey: string | (() => string | Promise<string>);
  /** Replaces the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Maximum time of one attempt in ms, including the response body. Default 10,000. */
  timeoutMs?: number | undefined;
  /** Maximum time of one call in ms, including all its attempts and waits. Default 60,000. */
  deadlineMs?: number | undefined;
  /** How many times a call is retried after the first attempt. Default 8. */
  retries?: number | undefined;
};

/** Accepted by every method, in its last argument. The numbers override those of the client. */
export type CallOptions = {
  signal?: Signal | undefined;
  timeoutMs?: number | undefined;
  deadlineMs?: number | undefined;
  retries?: number | undefined;
};

export type Source = AwardSource;

export type AwardOptions = {
  reason?: string | undefined;
  source?: Source | undefined;
  /**
   * What the award is for, for example `match-81/win`. The same cause awards a member once, whichever server sends it.
   */
  cause?: string | undefined;
  /** The award's idempotency key, instead of one that is derived from `cause` or random. */
  idempotencyKey?: string | undefined;
};

export type AwardEntry = { platformId: string; amount: number } & AwardOptions;

export type AwardResult = AwardAnswer & {
  /** The award had been applied before; this is the first result. */
  replayed: boolean;
  idempotencyKey: string;
  /** The service's id of its response; undefined if a proxy removed it. */
  requestId: string | undefined;
};

type Entered<Status> = { index: number; platformId: string; idempotencyKey: string; status: Status };
type Delivered<Status> = Entered<Status> & Pick<Extract<AwardsResult, { xp: Xp }>, "xp" | "rank" | "change">;
type Rejected = Entered<"rejected"> & Pick<Extract<AwardsResult, { status: "rejected" }>, "error">;
type Failed = Entered<"failed"> & Pick<Extract<AwardsResult, { status: "failed" }>, "error">;
/** `rejected` is final; a `failed` entry may be sent again under its key. */
export type EntryResult = Delivered<"applied"> | Delivered<"replayed"> | Rejected | Failed;

export type LedgerEntry = Entry;

export type EventsOptions = {
  /** The `cursor` of an event or of a page, or `now`. Default: the oldest stored event. */
  after?: string | undefined;
  /** Types of events, or first parts such as `member.*`. Default: all. */
  types?: string[] | undefined;
  /** How many seconds one request waits for an event. */
  waitS?: number | undefined;
};
export type EventPageOptions = EventsOptions & {
  /** 1 to 200. Default 50. */
  limit?: number | undefined;
};

/** Store its `cursor` when the event is handled: `after` continues behind it. */
export type ClanEvent = Event & { cursor: string };

/** `name` null deletes the stored name. `hidden`: on the clan's public page. What is not given stays as it is. */
export type NamedMember = {
  platformId: string;
  name?: string | null | undefined;
  hidden?: boolean | undefined;
};

/** `position`: adds the position in the leaderboard. */
export type MemberOptions = CallOptions & {
  /** Adds `name`: the name by which people know the member, or null. */
  name?: boolean | undefined;
  /** Adds `position` in the leaderboard. */
  position?: boolean | undefined;
};
export type AroundOptions = CallOptions & { limit?: number | undefined; name?: boolean | undefined };

/** `missing`: those of whom nothing is stored. */
export type NamedMembers = { members: Member[]; missing: string[] };

export type StandingsOptions = CallOptions & {
  /** A `periodId`, `current` or `previous`. Default `current`. */
  period?: string | undefined;
  /** The member among those above and below. */
  around?: string | undefined;
  /** 1 to 100 members, all different. */
  platformIds?: string[] | undefined;
  /** 1 to 200. Default 50, with `around` 11. */
  limit?: number | undefined;
  /** The `nextCursor` of the page before. */
  cursor?: string | undefined;
  /** Adds `name`: the name by which people know the member, or null. */
  name?: boolean | undefined;
};

/** `from` is inclusive, `to` exclusive: a Date, or an RFC 3339 timestamp. */
type Span = { from: string | Date; to: string | Date };
export type GainsOptions = CallOptions &
  Span & {
    /** Default `most`: who gained the most first. `least`: the same list from its end. */
    order?: "most" | "least" | undefined;
    /** The member among those above and below. */
    around?: string | undefined;
    /** Adds `name`: the name by which people know the member, or null. */
    name?: boolean | undefined;
  };
export type GainsPageOptions = GainsOptions & {
  /** 1 to 200. Default 50, with `around` 11. */
  limit?: number | undefined;
  /** The `nextCursor` of the page before. */
  cursor?: string | undefined;
  /** 1 to 100 members, all different. */
  platformIds?: string[] | undefined;
};
export type MemberGainsOptions = CallOptions &
  Span & {
    /** Weeks begin on Monday. */
    every: "day" | "week" | "month";
    /** In which days, weeks and months begin, as Europe/Berlin. Default UTC. */
    timeZone?: string | undefined;
  };

/** The deprecated batch: its state, and its results once it is done. */
export type Batch = {
  status: "queued" | "running" | "done";
  applied: number;
  results: BatchResult[];
  batchId?: string;
  createdAt?: string;
  finishedAt?: string | null;
};
export type BatchEntry = BatchAward;

/** Which awards to reverse. Timestamps are RFC 3339; `from` is inclusive, `to` exclusive. */
export type ReversalBy = OrUndefined<Selection>;
/** The API's fields, with `undefined` for an omitted field. */
type OrUndefined<Type> = Type extends unknown
  ? { [Name in keyof Type]: object extends Pick<Type, Name> ? Type[Name] | undefined : Type[Name] }
  : never;

export type QueueOptions = {
  /** How long an award waits for others before it is sent, in ms. Default 250. */
  flushMs?: number | undefined;
  /** How many awards one call contains, at most 100. Default 100. */
  maxEntries?: number | undefined;
  /** How many awards may be unsettled; further ones are dropped with `queue_full`. Default 10,000. */
  maxPending?: number | undefined;
  /** How long an award may take to settle, in ms. Default 300,000. */
  deadlineMs?: number | undefined;
  /** Called for every promise of `add()` that rejects. Default: writes a line to `console.error`. */
  onDropped?: ((award: DroppedAward, error: ClanXpError) => void) | undefined;
};

export type DroppedAward = {
  platformId: string;
  amount: number;
  reason?: string;
  source?: Source;
  idempotencyKey: string;
};

/** Gathers awards and sends them in few calls. Created by `ClanXp.queue()`. */
export type AwardQueue = {
  /**
   * Resolves when the award is applied. Rejects when it is dropped, which `onDropped` reports, too, so you may ignore
   * the promise.
   */
  add(platformId: string, amount: number, options?: AwardOptions): Promise<AwardResult>;
  /** Sends waiting awards immediately. Resolves when all awards that were added before are settled; never rejects. */
  flush(): Promise<void>;
  /** Awards that are not settled. */
  readonly pending: number;
  /**
   * Accepts no further awards, sends waiting ones, and drops those that are not settled at the deadline (default 25,000
   * ms). The counts cover the whole life of the queue.
   */
  close(options?: { deadlineMs?: number | undefined }): Promise<{ delivered: number; dropped: number }>;
};
