// What managing boosts needs from the outside.
import type { Actor } from "#domain/audit.ts";
import type { StoredBoost } from "#domain/boost.ts";

/**
 * Each boost is written together with its audit record, or not at all. Throws AppError `unavailable` if nothing was
 * written, `outcome_unknown` if this is not known.
 */
export type BoostStore = {
  /** MongoDB's time: that of the process could be behind those that apply awards. */
  now(): Promise<Date>;
  /** By `from`, with those that ended last; null: there is no such clan. */
  list(clanId: string): Promise<StoredBoost[] | null>;
  /** All or none. False: more than `max` would not have ended at this time. */
  add(clanId: string, boosts: readonly StoredBoost[], bound: { max: number; now: Date }, by: Actor): Promise<boolean>;
  /** The boost after its end; one that had ended is unchanged. Null: there is none. `clanId`: only of this clan. */
  end(boost: { boostId: string; clanId?: string }, now: Date, by: Actor): Promise<StoredBoost | null>;
};
