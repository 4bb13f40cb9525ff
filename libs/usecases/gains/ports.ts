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
