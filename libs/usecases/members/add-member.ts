// Gives a membership manually, or an appointment with it: entries of the member, like awards. XP and an existing membership stay.
import type { Actor } from "#domain/audit.ts";
import { ownAwardKey } from "#domain/award-key.ts";
import type { Award } from "#domain/award.ts";
import { type Clan, type RankKind } from "#domain/clan.ts";
import { NEW_HEAD, type Head } from "#domain/member.ts";
import type { AwardCommitter } from "#usecases/awards/award-committer.ts";
import { AWARD_DEADLINE_MS } from "#usecases/bounds.ts";
import { memberIdOf, type MemberRef } from "#domain/member-id.ts";
import type { AwardStore } from "#usecases/awards/ports.ts";
import type { ClanStore } from "#usecases/clans/ports.ts";
import type { Ids } from "#usecases/ports.ts";
import type { Member } from "#domain/member.ts";

export type MemberAddition =
  | { kind: "added"; member: Member; clan: Clan }
  | { kind: "no_clan" }
  | { kind: "no_rank"; clan: Clan }
  | { kind: "not_appointable"; rankKind: RankKind };

/** `appointedRank`: the name of a STAFF or OWNER rank, or null to leave the appointment as it is. Throws as the committer does. */
export type AddMember = (member: MemberRef, appointedRank: string | null, by: Actor) => Promise<MemberAddition>;

export function makeAddMember(world: {
  clans: Pick<ClanStore, "read">;
  store: Pick<AwardStore, "readHeads">;
  committer: Pick<AwardCommitter, "submit">;
  ids: Pick<Ids, "award">;
}): AddMember {
  const { clans, store, committer, ids } = world;

  async function headOf(ref: MemberRef): Promise<Head> {
    return (await store.readHeads([ref])).get(memberIdOf(ref)) ?? NEW_HEAD;
  }

  return async function addMember(ref, appointedRank, by) {
    const clan = (await clans.read([ref.clanId])).get(ref.clanId);
    if (!clan) return { kind: "no_clan" };
    if (appointedRank !== null) {
      const rank = clan.ranks.find(({ name }) => name === appointedRank);
      if (!rank) return { kind: "no_rank", clan };
      // NORMAL ranks follow from XP, and GUEST means no membership: neither can be given.
      if (rank.kind !== "STAFF" && rank.kind !== "OWNER") return { kind: "not_appointable", rankKind: rank.kind };
    }
    const before = await headOf(ref);
    const changes: Pick<Award, "kind" | "appoints">[] = [];
    if (!before.membership) changes.push({ kind: "membership" });
    if (appointedRank !== null && appointedRank !== before.appointedRank) changes.push({ kind: "appointment", appoints: appointedRank });
    const { clanId, platformId } = ref;
    // Submitted together they are committed in this order, in one group.
    await Promise.all(
      changes.map((change) => {
        const facts = { fingerprint: "", amount: 0n, apiKeyId: by.via, actor: by.actor };
        const award = { clanId, platformId, key: ownAwardKey(ids.award()), ...facts, ...change };
        return committer.submit(award, AWARD_DEADLINE_MS);
      }),
    );
    return { kind: "added", member: { clanId, platformId, ...(changes.length === 0 ? before : await headOf(ref)) }, clan };
  };
}
