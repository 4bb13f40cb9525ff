// The present rank of members, by the clan's rules of now: no cache of rules may be older than the change that somebody
// follows.
import { memberIdOf } from "#domain/member-id.ts";
import { standingOf } from "#domain/rank.ts";
import type { MemberRank } from "#domain/role-change.ts";
import type { LedgerStore } from "#ledger/ports.ts";
import type { ClanStore } from "#clans/ports.ts";
import type { ReadRanks } from "#delivery/role-sync-ports.ts";

/** Members who are being erased are absent, as those of whom nothing is stored. Throws AppError `unavailable`. */
export function makeReadRanks({
  heads,
  clans,
}: {
  heads: Pick<LedgerStore, "readHeads">;
  clans: Pick<ClanStore, "read">;
}): ReadRanks {
  return async function readRanks(clanId, platformIds) {
    const ranks = new Map<string, MemberRank>();
    if (platformIds.length === 0) return ranks;
    const members = platformIds.map((platformId) => ({ clanId, platformId }));
    const found = await heads.readHeads(members);
    const clan = (await clans.read([clanId])).get(clanId);
    if (!clan) return ranks;
    for (const member of members) {
      const head = found.get(memberIdOf(member));
      if (!head || head.erasing) continue;
      ranks.set(member.platformId, { rank: standingOf(clan, head).rank, isMember: head.membership !== null });
    }
    return ranks;
  };
}
