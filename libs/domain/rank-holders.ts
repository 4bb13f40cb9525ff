// The members who have a rank, as conditions that a store can search by: the inverse of standingOf.
import type { Head } from "#domain/head.ts";
import { isAppointable, normalRanks, rankIdOf, standingOf, type Rank } from "#domain/rank.ts";

/**
 * `appointed`: members who are appointed to this rank. `reached`: members with this XP (null: any) who are appointed to
 * none of these ranks. `guests`: players without a membership; `unranked`: also members who are appointed to none of
 * these ranks, because the clan has no NORMAL rank.
 */
export type RankHolders =
  | { kind: "appointed"; rankId: string }
  | { kind: "reached"; fromXp: bigint | null; belowXp: bigint | null; butAppointed: readonly string[] }
  | { kind: "guests" }
  | { kind: "unranked"; butAppointed: readonly string[] };

/** Null: the clan has no rank of this name. */
export function rankHolders(clan: { ranks: readonly Rank[] }, name: string): RankHolders | null {
  const rank = clan.ranks.find((one) => one.name === name);
  if (!rank) return null;
  if (isAppointable(rank)) return { kind: "appointed", rankId: rankIdOf(rank) };
  const butAppointed = clan.ranks.filter(isAppointable).map(rankIdOf);
  const normals = normalRanks(clan);
  if (rank.kind === "GUEST") return normals.length === 0 ? { kind: "unranked", butAppointed } : { kind: "guests" };
  const index = normals.findIndex((one) => one.name === name);
  // A membership gives at least the first NORMAL rank, however low the XP.
  const fromXp = index === 0 ? null : rank.threshold;
  return { kind: "reached", fromXp, belowXp: normals[index + 1]?.threshold ?? null, butAppointed };
}

/** `name` null: any rank. */
export function hasRank(clan: { ranks: readonly Rank[] }, head: Head, name: string | null): boolean {
  return name === null || standingOf(clan, head).rank === name;
}
