// What reading a clan's activity needs from the outside.
import type { Entry } from "#domain/entry.ts";

/**
 * A part of the time and what happened in it. `awards`, `xp`: of API keys, which is what gains and boards count.
 * `byHand`, `imported`: what people gave and took, and imports. `joined`: members whose first entry is in it.
 * `takenBack`: by reversals in it.
 */
export type Cell = Sums & { awards: number; joined: number; takenBack: readonly TakenBack[] };
/** From awards of this part of the time: a reversal counts at the time of its award, as in gains. */
export type TakenBack = Sums;
type Sums = { startMs: number; xp: bigint; byHand: bigint; imported: bigint };

/** From `from`, included, to `to`, excluded. */
export type Period = { from: Date; to: Date };

/** Reads the ledger. Throws AppError `unavailable`. */
export type ActivityStore = {
  /** The minutes with any entry; the first and the last are partial. */
  minutes(clanId: string, period: Period): Promise<Cell[]>;
  /** The newest awards and reversals of the clan. */
  newest(clanId: string, limit: number): Promise<Entry[]>;
  /** The time of the clan's oldest entry. */
  oldestAt(clanId: string): Promise<Date | null>;
};

/** The cells of a quarter of an hour with any entry, of an hour that was counted. */
export type CountedHour = { startMs: number; quarters: readonly Cell[] };

/**
 * Hours of the ledger that were counted. They belong to the clan's generation, which an erasure and a rebuild replace:
 * hours of another generation do not exist, also if they are stored later. Throws AppError `unavailable`.
 */
export type CountedHours = {
  generation(clanId: string): Promise<string>;
  list(clanId: string, generation: string, period: Period): Promise<CountedHour[]>;
  /** Counts these hours from the ledger. */
  count(clanId: string, period: Period): Promise<CountedHour[]>;
  store(clanId: string, generation: string, hours: readonly CountedHour[]): Promise<void>;
};

/** Begins a new generation in these clans. */
export type ForgetHours = (clanIds: readonly string[]) => Promise<void>;
