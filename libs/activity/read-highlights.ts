// Who gained the most in the last seven days, which is a count of gains like any other, and how many members have each
// rank. Ranks are counted again after a multiple of the time that counting takes, so that they cost MongoDB a bounded
// share of it.
import { makePacedCache } from "#async/paced-cache.ts";
import { pause } from "#async/pause.ts";
import { AppError } from "#kernel/app-error.ts";
import type { Clan } from "#domain/clan.ts";
import type { Member } from "#domain/member.ts";
import {
  ACTIVITY_FRESH_MS,
  CLANS_WATCHED_MAX,
  HIGHLIGHTS_EXPIRY_SHARE,
  HIGHLIGHTS_REST_SHARE,
  HIGHLIGHTS_WAIT_MS,
  TOP_MEMBERS,
} from "#activity/bounds.ts";
import { clanOf, type ClanRules } from "#clans/clan-rules.ts";
import type { GainSpan } from "#gains/ports.ts";
import type { ReadGains } from "#gains/read-gains.ts";
import type { MemberStore } from "#members/ports.ts";
import type { CountRanks, RankCount } from "#ranks/count-ranks.ts";
import type { Clock } from "#kernel/clock.ts";

/** Also who has left since. */
export type TopMember = { member: Member; gained: bigint };
/** `too_many`: entries to count them. */
export type Top = readonly TopMember[] | "counting" | "too_many";
/** `ranks`: in the clan's order; null while they are counted for the first time. */
export type Highlights = { clan: Clan; top: Top; ranks: { asOf: Date; counts: readonly RankCount[] } | null };

/** Throws AppError `unavailable`. */
export type ReadHighlights = (clanId: string) => Promise<Highlights>;

const [HOUR_MS, WEEK_MS] = [3_600_000, 7 * 86_400_000];

export function makeReadHighlights(deps: {
  gains: ReadGains;
  members: Pick<MemberStore, "readMany">;
  countRanks: CountRanks;
  rules: ClanRules;
  clock: Pick<Clock, "now" | "agingMs">;
}): ReadHighlights {
  const { gains, members, countRanks, rules, clock } = deps;

  const rankCounts = makePacedCache<NonNullable<Highlights["ranks"]>>({
    load: async (clanId, run) => ({ asOf: clock.now(), counts: await run(() => countRanks(clanId)) }),
    agesOf(_, busyMs) {
      const refreshMs = Math.max(ACTIVITY_FRESH_MS, busyMs * HIGHLIGHTS_REST_SHARE);
      return { refreshMs, expireMs: refreshMs * HIGHLIGHTS_EXPIRY_SHARE };
    },
    sizeMax: CLANS_WATCHED_MAX,
    clock,
  });

  async function topOf(clanId: string): Promise<Top> {
    try {
      const count = await gains.count(clanId, weekUntil(clock.now()));
      if (!count) return "counting";
      const { items } = await gains.list(count, "most", { kind: "page", limit: TOP_MEMBERS, after: null });
      const stored = await members.readMany(
        clanId,
        items.map(({ platformId }) => platformId),
      );
      return items.flatMap(({ platformId, xp }) => {
        const member = stored.get(platformId);
        return member ? [{ member, gained: xp }] : [];
      });
    } catch (error) {
      if (error instanceof AppError && error.code === "invalid_request") return "too_many";
      throw error;
    }
  }

  return async function readHighlights(clanId) {
    const [clan, top, ranks] = await Promise.all([
      clanOf(rules, clanId),
      topOf(clanId),
      Promise.race([rankCounts(clanId), pause(HIGHLIGHTS_WAIT_MS).then(() => null)]),
    ]);
    return { clan, top, ranks };
  };
}

/** It ends with the hour, so that everybody who looks in this hour asks for one span. */
function weekUntil(now: Date): GainSpan {
  const to = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS + HOUR_MS);
  return { from: new Date(to.getTime() - WEEK_MS), to };
}
