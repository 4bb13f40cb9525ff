// The public types. What the API answers comes from wire.ts; what stands here is what the client adds, and what callers
// hand in.
import type { ClanXpError } from "./error.ts";
import type {
  AwardAnswer,
  AwardsResult,
  AwardSource,
  BatchAward,
  BatchResult,
  Entry,
  ErrorCode,
  ReversalBy as Selection,
  Xp,
} from "./wire.ts";

/** Runtimes without the DOM's types have these under their own; a project that has neither still compiles. */
type Fetch = typeof globalThis extends { fetch: infer Type }
  ? Type
  : (input: string, init?: object) => Promise<unknown>;
type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Type } }
  ? Type
  : { readonly aborted: boolean };

export type ClanXpOptions = {
  /** Where the API is, for example `https://xp.example.com`. */
  baseUrl: string;
  clanId: string;
  /** The API key, or a function that returns it and is called before every try: for keys that are rotated. */
  apiKey: string | (() => string | Promise<string>);
  /** Instead of the global `fetch`. */
  fetch?: Fetch | undefined;
  /** How long one try may take, the body of the answer included. Default 10,000. */
  timeoutMs?: number | undefined;
  /** How long one call may take with all its tries and waits. Default 60,000. */
  deadlineMs?: number | undefined;
  /** How many times a call is tried again after the first try. Default 8. */
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
  /** The award's own key, instead of one that is derived from `cause` or drawn at random. */
  idempotencyKey?: string | undefined;
};

export type AwardEntry = { platformId: string; amount: number } & AwardOptions;

export type AwardResult = AwardAnswer & {
  /** This award had been applied before: the first answer is given again. */
  replayed: boolean;
  idempotencyKey: string;
  requestId: string;
};

type Entered<Status> = { index: number; platformId: string; idempotencyKey: string; status: Status };
type Delivered<Status> = Entered<Status> & Pick<Extract<AwardsResult, { xp: Xp }>, "xp" | "rank" | "change">;
type Rejected = Entered<"rejected"> & Pick<Extract<AwardsResult, { status: "rejected" }>, "error">;
type Failed = Entered<"failed"> & Pick<Extract<AwardsResult, { status: "failed" }>, "error">;
/** `rejected` is final; a `failed` entry may be sent again under its key. */
export type EntryResult = Delivered<"applied"> | Delivered<"replayed"> | Rejected | Failed;

export type LedgerEntry = Entry;

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
/** What the API takes, with `undefined` for a field that is left out. */
type OrUndefined<Type> = Type extends unknown
  ? { [Name in keyof Type]: object extends Pick<Type, Name> ? Type[Name] | undefined : Type[Name] }
  : never;

/** Codes of endpoints and settings that not every version of the API has. */
type LaterErrorCode = "budget_exceeded";
export type ClanXpErrorCode =
  | ErrorCode
  | LaterErrorCode
  /** No whole answer in time. */
  | "timeout"
  /** No answer, or one that was cut off. */
  | "connection"
  /** An answer that is neither a result nor a problem document. */
  | "unexpected_answer"
  | "aborted"
  | "invalid_argument"
  | "queue_full"
  | "queue_closed";

export type QueueOptions = {
  /** How long an award waits for others before it is sent. Default 250. */
  flushMs?: number | undefined;
  /** How many awards one call carries, at most 100. Default 100. */
  maxEntries?: number | undefined;
  /** How many awards may be unsettled; further ones are dropped with `queue_full`. Default 10,000. */
  maxPending?: number | undefined;
  /** How long an award may take to settle. Default 300,000. */
  deadlineMs?: number | undefined;
  /** Called for every promise of `add()` that rejects. Default: a line on `console.error`. */
  onDropped?: ((award: DroppedAward, error: ClanXpError) => void) | undefined;
};

export type DroppedAward = {
  platformId: string;
  amount: number;
  reason?: string;
  source?: Source;
  idempotencyKey: string;
};

/** Gathers awards and sends them in few calls; made by `ClanXp.queue()`. */
export type AwardQueue = {
  /**
   * Resolves when the award is applied. Rejects when it is dropped, which `onDropped` reports too: the promise may be
   * ignored.
   */
  add(platformId: string, amount: number, options?: AwardOptions): Promise<AwardResult>;
  /** Sends what waits at once. Resolves when all that was added before is settled; never rejects. */
  flush(): Promise<void>;
  /** Awards that are not settled. */
  readonly pending: number;
  /**
   * Takes no further awards, sends what waits, and drops what is not settled at the deadline (default 25,000 ms). The
   * counts are those of the queue's whole life.
   */
  close(options?: { deadlineMs?: number | undefined }): Promise<{ delivered: number; dropped: number }>;
};
