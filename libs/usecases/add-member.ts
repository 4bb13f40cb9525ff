// Gives a membership by hand, or an appointment with it. XP is kept, and a membership that is there already stays as it is.
import { type Clan, type RankKind } from "#domain/clan.ts";
import type { ClanStore, Clock, Member, MemberRef, MemberStore } from "#usecases/ports.ts";

export type MemberAddition =
  | { kind: "added"; member: Member; clan: Clan }
  | { kind: "no_clan" }
  | { kind: "no_rank"; clan: Clan }
  | { kind: "not_appointable"; rankKind: RankKind };

/** `appointedRank`: the name of a STAFF or OWNER rank, or null to leave the appointment as it is. */
export type AddMember = (member: MemberRef, appointedRank: string | null) => Promise<MemberAddition>;

export function makeAddMember(world: { clans: Pick<ClanStore, "read">; members: Pick<MemberStore, "join">; clock: Clock }): AddMember {
  return async function addMember(ref, appointedRank) {
    const clan = (await world.clans.read([ref.clanId])).get(ref.clanId);
    if (!clan) return { kind: "no_clan" };
    if (appointedRank !== null) {
      const rank = clan.ranks.find(({ name }) => name === appointedRank);
      if (!rank) return { kind: "no_rank", clan };
      // NORMAL ranks follow from XP, and GUEST means no membership: neither can be given.
      if (rank.kind !== "STAFF" && rank.kind !== "OWNER") return { kind: "not_appointable", rankKind: rank.kind };
    }
    return { kind: "added", member: await world.members.join(ref, world.clock.now(), appointedRank), clan };
  };
}
