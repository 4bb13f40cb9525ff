// Ends a membership, and the appointment with it. XP stays. An Auto Clan does not create another membership for the
// player automatically; `member add` does.
import type { Actor } from "#domain/audit.ts";
import type { Clan } from "#domain/clan.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Member } from "#domain/member.ts";
import type { ClanStore } from "#clans/ports.ts";
import { makeSubmitChanges, type ChangeDeps } from "#members/submit-changes.ts";

/** `no_membership`: there was none to end, and nothing was changed. */
export type MemberRemoval =
  | { kind: "removed" | "no_membership"; member: Member; clan: Clan }
  | { kind: "no_clan" }
  | { kind: "no_member" };

/** Throws as the committer does. */
export type RemoveMember = (member: MemberRef, by: Actor) => Promise<MemberRemoval>;

export function makeRemoveMember(deps: ChangeDeps & { clans: Pick<ClanStore, "read"> }): RemoveMember {
  const { read, submit } = makeSubmitChanges(deps);

  return async function removeMember(ref, by) {
    const clan = (await deps.clans.read([ref.clanId])).get(ref.clanId);
    if (!clan) return { kind: "no_clan" };
    const before = await read(ref);
    if (!before) return { kind: "no_member" };
    const { clanId, platformId } = ref;
    if (!before.membership) return { kind: "no_membership", member: { clanId, platformId, ...before }, clan };
    return { kind: "removed", member: await submit(ref, [{ kind: "membership", ends: true }], by), clan };
  };
}
