// Parts of a clan's leaderboard, and of its members by their newest award, as bounds of an index. A filter could not be
// answered from the index alone, because a condition on an absent field reads the document, and would not begin in the
// middle of the order.
import { MaxKey, MinKey } from "mongodb";
import { BY_LAST_AWARD, LEADERBOARD } from "#ledger/store/member-model.ts";
import type { ListPosition, MemberPosition } from "#members/ports.ts";

const [LOWEST, HIGHEST] = [new MinKey(), new MaxKey()];

/** Options of a find: the members in the index's order, without those before `from` or from `to` on. */
export function leaderboardRange(
  clanId: string,
  { from = null, to = null }: { from?: MemberPosition | null; to?: MemberPosition | null },
) {
  const keyOf = (xp: unknown, platformId: unknown) => ({ clanId, removed: null, xp, platformId });
  return {
    hint: LEADERBOARD,
    min: from ? keyOf(from.xp, from.platformId) : keyOf(HIGHEST, LOWEST),
    max: to ? keyOf(to.xp, to.platformId) : keyOf(LOWEST, HIGHEST),
  };
}

/** Options of a find: the members behind `after` whose newest award is before `idleSince`, or who have none. */
export function idleRange(
  clanId: string,
  { after, idleSince }: { after: ListPosition | null; idleSince: Date | null },
) {
  const keyOf = (lastAwardAt: unknown, platformId: unknown) => ({ clanId, lastAwardAt, platformId });
  return {
    hint: BY_LAST_AWARD,
    min: after ? keyOf(after.lastAwardAt, behind(after).platformId) : keyOf(LOWEST, LOWEST),
    max: keyOf(idleSince ?? HIGHEST, LOWEST),
  };
}

/** The beginning of a range that does not contain this member. */
export function behind({ xp, platformId }: MemberPosition): MemberPosition {
  return { xp, platformId: `${platformId}\0` };
}
