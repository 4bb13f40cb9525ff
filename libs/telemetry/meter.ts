// What use cases count for operators. Ports for stores are in the `ports.ts` of each folder.
import type { BatchCode } from "#domain/batch.ts";
import type { ErrorCode } from "#kernel/error-code.ts";
import type { EventType } from "#domain/event.ts";
import type { LedgerMeter } from "#ledger/ports.ts";
import type { RateKind } from "#domain/key-limits.ts";

/** Counts events for operators: a few plain additions per request. Its methods neither wait nor throw. */
export type Meter = LedgerMeter & {
  /** A response was sent; `route` is an endpoint's name, or "none". */
  request(route: string, method: string, status: number, seconds: number): void;
  problem(code: ErrorCode): void;
  rateLimit(kind: RateKind): void;
  /** An award was rejected before it reached the committer. */
  rejected(code: ErrorCode | BatchCode): void;
  recoveryScan(requeued: number): void;
  batchDone(): void;
  /** A reversal is done, with these numbers of reversed and skipped awards. */
  reversalDone(reversed: number, skipped: number): void;
  resetDone(): void;
  /** They are readable now. */
  eventsNumbered(events: readonly { type: EventType; at: Date }[], now: Date): void;
  keyLookup(): void;
  /** The key was not cached and had to be read. */
  keyMiss(): void;
};
