// Who gained the most in the last seven days, and how many members have each rank. Both read much: they are counted
// again after a multiple of the time that counting takes, so that they cost MongoDB a bounded share of it.
import { makePacedCache, type RunStep } from "#async/paced-cache.ts";
import { pause } from "#async/pause.ts";
import type { Clan } from "#domain/clan.ts";
import type { Member } from "#domain/member.ts";
import { isListed } from "#domain/position.ts";
import {
  ACTIVITY_FRESH_MS,
  CLANS_WATCHED_MAX,
  HIGHLIGHTS_EXPIRY_SHARE,
  HIGHLIGHTS_REST_SHARE,
  HIGHLIGHTS_WAIT_MS,
  TOP_CANDIDATES,
  TOP_MEMBERS,
} from "#usecases/activity/bounds.ts";
import type { ActivityStore, Gain } from "#usecases/activity/ports.ts";
import { clanOf, type ClanRules } from "#usecases/clans/clan-rules.ts";
import type { MemberStore } from "#usecases/members/ports.ts";
import type { CountRanks, RankCount } from "#usecases/ranks/count-ranks.ts";
import type { Clock } from "#runtime/ports.ts";

export type TopMember = { member: Member; gained: bigint };
/** `ranks`: in the clan's order. `top` null: there are too many awards to count them. */
export type Highlights = {
  clan: Clan;
  asOf: Date;
  top: readonly TopMember[] | null;
  ranks: readonly RankCount[];
};

/** Null: they are still being counted for the first time. Throws AppError `unavailable`. */
export type ReadHighlights = (clanId: string) => Promise<Highlights | null>;

const WEEK_MS = 7 * 86_400_000;

type Counted = { asOf: Date; gains: Gain[] | null; ranks: Highlights["ranks"] };

export function makeReadHighlights(deps: {
  store: Pick<ActivityStore, "gains">;
  members: Pick<MemberStore, "readMany">;
  countRanks: CountRanks;
  rules: ClanRules;
  clock: Pick<Clock, "now" | "agingMs">;
}): ReadHighlights {
  const { store, members, countRanks, rules, clock } = deps;

  async function count(clanId: string, run: RunStep): Promise<Counted> {
    const asOf = clock.now();
    const since = new Date(asOf.getTime() - WEEK_MS);
    const gains = await run(() => store.gains(clanId, since, TOP_CANDIDATES));
    return { asOf, gains, ranks: await run(() => countRanks(clanId)) };
  }

  const counted = makePacedCache<Counted>({
    load: count,
    agesOf(_, busyMs) {
      const refreshMs = Math.max(ACTIVITY_FRESH_MS, busyMs * HIGHLIGHTS_REST_SHARE);
      return { refreshMs, expireMs: refreshMs * HIGHLIGHTS_EXPIRY_SHARE };
    },
    sizeMax: CLANS_WATCHED_MAX,
    clock,
  });

  return async function readHighlights(clanId) {
    const found = await Promise.race([counted(clanId), pause(HIGHLIGHTS_WAIT_MS)]);
    if (!found) return null;
    const { asOf, ranks } = found;
    const gains = found.gains ?? [];
    const [clan, stored] = await Promise.all([
      clanOf(rules, clanId),
      members.readMany(
        clanId,
        gains.map(({ platformId }) => platformId),
      ),
    ]);
    const top = gains.flatMap(({ platformId, xp }) => {
      const member = stored.get(platformId);
      return member && isListed(member) ? [{ member, gained: xp }] : [];
    });
    return { clan, asOf, ranks, top: found.gains && top.slice(0, TOP_MEMBERS) };
  };
}
