// Appoints a member to a STAFF or OWNER rank, or withdraws the appointment, after which their rank is derived from XP.
import type { Actor } from "#domain/audit.ts";
import { rankIdOf } from "#domain/rank.ts";
import type { Clan } from "#domain/clan.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Member } from "#domain/member.ts";
import { findAppointment, type AppointmentRejection } from "#members/find-appointment.ts";
import type { ClanStore } from "#clans/ports.ts";
import { makeSubmitChanges, type ChangeDeps } from "#members/submit-changes.ts";

/**
 * `no_membership`: only members are appointed. The player was none, and nothing was changed; or their membership ended
 * while the appointment was committed, which then has no effect.
 */
export type MemberAppointment =
  | { kind: "appointed"; member: Member; clan: Clan }
  | { kind: "no_clan" }
  | { kind: "no_membership" }
  | AppointmentRejection;

/** `rankName` null withdraws the appointment. Throws as the committer does. */
export type AppointMember = (member: MemberRef, rankName: string | null, by: Actor) => Promise<MemberAppointment>;

export function makeAppointMember(deps: ChangeDeps & { clans: Pick<ClanStore, "read"> }): AppointMember {
  const { read, submit } = makeSubmitChanges(deps);

  return async function appointMember(ref, rankName, by) {
    const clan = (await deps.clans.read([ref.clanId])).get(ref.clanId);
    if (!clan) return { kind: "no_clan" };
    const appointment = rankName === null ? null : findAppointment(clan, rankName);
    if (appointment && appointment.kind !== "found") return appointment;
    const before = await read(ref);
    if (!before?.membership) return { kind: "no_membership" };
    const { clanId, platformId } = ref;
    const appoints = appointment && rankIdOf(appointment.rank);
    const isSame = appoints === before.appointedRank;
    const member = isSame
      ? { clanId, platformId, ...before }
      : await submit(ref, [{ kind: "appointment", appoints }], by);
    if (!member.membership) return { kind: "no_membership" };
    return { kind: "appointed", member, clan };
  };
}
