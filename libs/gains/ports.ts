// What gains need from the outside.
import type { MemberRef } from "#domain/member-id.ts";

/** From `from`, included, to `to`, excluded. */
export type GainSpan = { from: Date; to: Date };

/** What a reversal took back, and when the reversed award was made. */
export type ReversedAward = { platformId: string; at: Date; applied: bigint };

/** The awards of API keys in a span, and the reversals of these, whenever they were made. Throws AppError `unavailable`. */
export type GainedAwards = {
  /** The awards of a member, by quarters of an hour; only those with an award. */
  quarters(member: MemberRef, span: GainSpan): Promise<{ at: Date; xp: bigint; awards: number }[]>;
  /** The reversals of awards in the span, of these members. */
  reversed(clanId: string, platformIds: readonly string[], span: GainSpan): Promise<ReversedAward[]>;
};

/** What a member gained in a span. */
export type Gained = { platformId: string; xp: bigint; awards: number; firstAwardAt: Date; lastAwardAt: Date };

/** The ledger as it was at one moment. */
export type GainSnapshot = Pick<GainedAwards, "reversed"> & {
  /** The time of the entry that comes so many after the first one in the span. Null: there are fewer. */
  skip(clanId: string, span: GainSpan, entries: number): Promise<Date | null>;
  /** Each member with awards in the span once, in groups. */
  awards(clanId: string, span: GainSpan): AsyncIterable<Gained[]>;
};
/** The snapshot is that of the first read. Throws AppError `unavailable`, also if reading takes minutes. */
export type ReadSnapshot = <Result>(read: (snapshot: GainSnapshot) => Promise<Result>) => Promise<Result>;

/**
 * A member in the list of a count, who has the most XP first. Equal XP: the earlier last award is first, then by
 * platformId. Null: erased since.
 */
export type GainRow = Gained & { position: number; membership: { since: Date } | null };

/** `totals`: null if the span has too many entries. `tookMs`: to count it. */
export type GainCount = GainSpan & {
  countId: string;
  clanId: string;
  asOf: Date;
  tookMs: number;
  expiresAt: Date;
  totals: { members: number; awards: number; xp: bigint } | null;
};

/** Counts of spans and their lists, which are stored for a time. Throws AppError `unavailable`. */
export type GainCounts = {
  /** MongoDB's present time. */
  now(): Promise<Date>;
  newest(clanId: string, span: GainSpan): Promise<{ count: GainCount | null; now: Date }>;
  read(clanId: string, countId: string): Promise<GainCount | null>;
  /** The list's rows from this place until before the other one. */
  rows(count: GainCount, from: number, to: number): Promise<(GainRow | null)[]>;
  /** The places and rows of those of these members whom the list has. */
  places(
    count: GainCount,
    platformIds: readonly string[],
  ): Promise<ReadonlyMap<string, { place: number; row: GainRow }>>;
  /** `first`: the place of the first of these rows, a multiple of MEMBERS_TOGETHER. */
  storeRows(
    count: Omit<GainCount, "totals" | "tookMs">,
    first: number,
    rows: readonly (GainRow | null)[],
  ): Promise<void>;
  /** Its rows are stored. */
  store(count: GainCount): Promise<void>;
};

/** The right to count in a clan. Throws AppError `unavailable`. */
export type GainClaims = {
  /** Takes it for some seconds, or renews it. False: another one has it. */
  claim(clanId: string, holder: string): Promise<boolean>;
  release(clanId: string, holder: string): Promise<void>;
};
