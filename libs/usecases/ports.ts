// What every use case needs from its process: time, ids, a log, counters and traces. Ports for stores and locks are in
// the `ports.ts` of each folder.
import type { Outcome } from "#domain/outcome.ts";
import type { BatchCode } from "#domain/batch.ts";
import type { ErrorCode } from "#domain/error-code.ts";
import type { CommitResult } from "#usecases/awards/ports.ts";
import type { RateKind } from "#usecases/keys/ports.ts";

export type Clock = {
  /** Only dates. Other processes have other clocks, and MongoDB's decides what is old (docs/decisions/0036). */
  now(): Date;
  /** For durations, deadlines and waits. Changes of the wall clock do not affect it. */
  monotonicMs(): number;
  /**
   * For the age of what was read. It also counts the time for which the machine was suspended, and may run ahead, never
   * behind. So it must not measure a wait that others rely on.
   */
  agingMs(): number;
};

export type Ids = {
  batch(): string;
  reversal(): string;
  erasure(): string;
  /** Unique across all processes. */ award(): string;
};

/** SHA-256 of a text, base64url. */
export type Digest = (text: string) => string;

export type Log = {
  debug(fields: object, event: string): void;
  info(fields: object, event: string): void;
  warn(fields: object, event: string): void;
  error(fields: object, event: string): void;
};

/** Counts events for operators: a few plain additions per request or flight. Its methods neither wait nor throw. */
export type Meter = {
  /** A response was sent; `route` is an endpoint's name, or "none". */
  request(route: string, method: string, status: number, seconds: number): void;
  problem(code: ErrorCode): void;
  rateLimit(kind: RateKind): void;
  /** The outcomes of awards in the committer. */
  settled(answers: readonly { outcome: Outcome }[]): void;
  /** An award was rejected before it reached the committer. */
  rejected(code: ErrorCode | BatchCode): void;
  flight(awards: number): void;
  commit(result: CommitResult["kind"], seconds: number): void;
  /** A flight requested its locks; other processes held `contended` of them. */
  lock(seconds: number, contended: number): void;
  /** A flight runs without locks, because Redis grants none. */
  lockSkipped(): void;
  /** The same, because no other process awards the same members. */
  lockNotNeeded(): void;
  /** Heads that flights decided on, by their source; "confirmed": cached heads that were read after a renewal. */
  heads(source: "cached" | "read" | "validated" | "confirmed", heads: number): void;
  recoveryScan(requeued: number): void;
  batchDone(): void;
  /** A reversal is done, with these numbers of reversed and skipped awards. */
  reversalDone(reversed: number, skipped: number): void;
  keyLookup(): void;
  /** The key was not cached and had to be read. */
  keyMiss(): void;
};

/** A step of a trace; opaque to everything but the tracer. */
export type TraceStep = object;

/** Shows where the time of an award is spent. Parts receive null instead while tracing is off. */
export type Tracer = {
  /** The caller's current step. */
  here(): TraceStep | null;
  /** Runs a flight as a step of the requests whose awards it contains. */
  flight<T>(steps: readonly (TraceStep | null)[], run: () => Promise<T>): Promise<T>;
  commit(run: () => Promise<CommitResult>): Promise<CommitResult>;
};
