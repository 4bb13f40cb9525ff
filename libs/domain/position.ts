// Positions in a clan's leaderboard: from the XP of its first members, and from fences beyond them.
import type { Head } from "#domain/head.ts";

/**
 * `value`: 1 plus the number of members with more XP. `of`: the members on the leaderboard. `approximate`: it was
 * interpolated.
 */
export type Position = { value: number; of: number; approximate: boolean };

/** Positions up to this one are exact. */
export const EXACT_POSITIONS_MAX = 10_000;

/** The member at place `at` of the order has this XP; 1 is first. */
export type Fence = { at: number; xp: bigint };

/**
 * The XP of a clan's members in their order. `first`: of the first EXACT_POSITIONS_MAX ones. `fences`: in order, of some
 * of the others, and of the last one; empty if there are no others.
 */
export type XpOrder = { first: BigInt64Array; fences: readonly Fence[] };

/** A member whose membership was ended by a person is on no leaderboard. */
export function isListed({ removed }: Pick<Head, "removed">): boolean {
  return removed !== true;
}

type Placed = { platformId: string; xp: bigint; removed?: true };

/**
 * By platformId; null for those on no leaderboard. The members' XP may be newer than `order`: among them, more XP is
 * always a better position, and equal XP the same one.
 */
export function positionsOf(order: XpOrder, members: readonly Placed[]): ReadonlyMap<string, Position | null> {
  const byXp = [...Map.groupBy(members.filter(isListed), ({ xp }) => xp)].toSorted(([a], [b]) => (a > b ? -1 : 1));
  const values = new Map<bigint, number>();
  let best = 1;
  for (const [xp, equals] of byXp) {
    const value = Math.max(membersAbove(order, xp) + 1, best);
    values.set(xp, value);
    best = value + equals.length;
  }
  const of = Math.max(sizeOf(order), best - 1);
  return new Map(
    members.map((member): [string, Position | null] => {
      const value = isListed(member) ? (values.get(member.xp) ?? null) : null;
      return [member.platformId, value === null ? null : { value, of, approximate: value > EXACT_POSITIONS_MAX }];
    }),
  );
}

/** How many members it has. */
export function sizeOf({ first, fences }: XpOrder): number {
  return fences.at(-1)?.at ?? first.length;
}

function membersAbove({ first, fences }: XpOrder, xp: bigint): number {
  const above = countWhile(first.length, (index) => (first[index] ?? 0n) > xp);
  if (above < first.length || fences.length === 0) return above;
  const passed = countWhile(fences.length, (index) => (fences[index]?.xp ?? 0n) > xp);
  // The fences are older than the first members, and must not contradict them.
  return Math.max(above, interpolated(fences[passed - 1], fences[passed], xp));
}

/** The number of members with more XP, which is at least that at `above`, and less than that at `below`. */
function interpolated(above: Fence | undefined, below: Fence | undefined, xp: bigint): number {
  if (!above || !below) return above?.at ?? 0;
  const share = Number(above.xp - xp) / Number(above.xp - below.xp);
  return above.at + Math.floor((below.at - 1 - above.at) * share);
}

/** How many of these indexes satisfy the condition, of which the first ones do, and the others do not. */
function countWhile(length: number, holds: (index: number) => boolean): number {
  let [from, to] = [0, length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(middle)) from = middle + 1;
    else to = middle;
  }
  return from;
}
