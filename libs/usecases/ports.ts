// What every use case needs of its process: time, ids, a log, counters and traces. Stores and locks are in ports.ts
// beside their users.
import type { Outcome } from "#domain/award.ts";
import type { BatchCode } from "#domain/batch-code.ts";
import type { ErrorCode } from "#domain/error-code.ts";
import type { CommitResult } from "#usecases/awards/ports.ts";
import type { RateKind } from "#usecases/keys/ports.ts";

export type Clock = { now(): Date; /** Rises steadily, whatever is done to the wall clock. */ monotonicMs(): number };

export type Ids = { batch(): string; reversal(): string; /** Never given twice, by any process. */ award(): string };

/** SHA-256 of a text, base64url. */
export type Digest = (text: string) => string;

export type Log = {
  debug(fields: object, event: string): void;
  info(fields: object, event: string): void;
  warn(fields: object, event: string): void;
  error(fields: object, event: string): void;
};

/**
 * Counts what happens, for operators: plain additions, a few for a request or a flight. Nothing here waits or throws.
 */
export type Meter = {
  /** A request was answered; `route` is an endpoint's name, or "none". */
  request(route: string, method: string, status: number, seconds: number): void;
  problem(code: ErrorCode): void;
  rateLimit(kind: RateKind): void;
  /** What became of awards in the committer. */
  settled(answers: readonly { outcome: Outcome }[]): void;
  /** An award was refused before it came to the committer. */
  rejected(code: ErrorCode | BatchCode): void;
  flight(awards: number): void;
  commit(result: CommitResult["kind"], seconds: number): void;
  /** A flight asked for its locks, and did not get `refused` of them. */
  lock(seconds: number, refused: number): void;
  /** A flight goes without locks, since Redis gives none. */
  lockSkipped(): void;
  /** Heads that flights decided on, by how they were known. */
  heads(source: "cached" | "read" | "validated", heads: number): void;
  recoveryScan(requeued: number): void;
  batchDone(): void;
  /** A reversal is done, with so many awards reversed and so many skipped. */
  reversalDone(reversed: number, skipped: number): void;
  keyLookup(): void;
  /** The key had to be read. */
  keyMiss(): void;
};

/** A step of a trace; only the tracer looks into it. */
export type TraceStep = object;

/** Tells where the time of an award went. Parts have null in its place while nobody collects that. */
export type Tracer = {
  /** The step that the caller is in. */
  here(): TraceStep | null;
  /** Runs a flight as a step of the requests whose awards it carries. */
  flight<T>(steps: readonly (TraceStep | null)[], run: () => Promise<T>): Promise<T>;
  commit(run: () => Promise<CommitResult>): Promise<CommitResult>;
};
