// What the use cases of resets need from the store, as types (see ports.ts).
import type { Actor } from "#domain/audit.ts";
import type { Reset } from "#domain/reset.ts";
import type { BatchToRun } from "#batches/ports.ts";

/**
 * Records of resets. A worker runs them like reversals. Throws AppError `unavailable` if nothing was written,
 * `outcome_unknown` if this is not known.
 */
export type ResetStore = {
  /** MongoDB's time. */
  now(): Promise<Date>;
  /** Writes the record with its audit record. False: as many as `max` of the clan are not done. */
  insert(reset: Reset, by: Actor, bound: { max: number }): Promise<boolean>;
  read(resetId: string): Promise<Reset | null>;
  /** The newest first. */
  list(clanId: string, limit: number): Promise<Reset[]>;
  /**
   * Ends a reset that no worker has begun, with its audit record, and returns it; one in another state is unchanged.
   * Null: there is none. `clanId`: only of this clan.
   */
  cancel(reset: { resetId: string; clanId?: string }, by: Actor): Promise<Reset | null>;
  /** Marks those as queued whose time has come, by MongoDB's clock, and returns them. */
  queueDue(): Promise<BatchToRun[]>;
};
