// Creates a membership manually, or an appointment with it: entries of the member, like awards. XP and an existing
// membership stay. It is the only way back for a removed member.
import type { Actor } from "#domain/audit.ts";
import { rankIdOf } from "#domain/rank.ts";
import type { Clan } from "#domain/clan.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Member } from "#domain/member.ts";
import { findAppointment, type AppointmentRejection } from "#members/find-appointment.ts";
import type { ClanStore } from "#clans/ports.ts";
import { makeSubmitChanges, type Change, type ChangeDeps } from "#members/submit-changes.ts";

export type MemberAddition = { kind: "added"; member: Member; clan: Clan } | { kind: "no_clan" } | AppointmentRejection;

/** `rankName`: of a STAFF or OWNER rank, or null to leave the appointment unchanged. Throws as the committer does. */
export type AddMember = (member: MemberRef, rankName: string | null, by: Actor) => Promise<MemberAddition>;

export function makeAddMember(deps: ChangeDeps & { clans: Pick<ClanStore, "read"> }): AddMember {
  const { read, submit } = makeSubmitChanges(deps);

  return async function addMember(ref, rankName, by) {
    const clan = (await deps.clans.read([ref.clanId])).get(ref.clanId);
    if (!clan) return { kind: "no_clan" };
    const appointment = rankName === null ? null : findAppointment(clan, rankName);
    if (appointment && appointment.kind !== "found") return appointment;
    const before = await read(ref);
    const changes: Change[] = [];
    if (!before?.membership) changes.push({ kind: "membership" });
    const appoints = appointment && rankIdOf(appointment.rank);
    if (appoints !== null && appoints !== before?.appointedRank) changes.push({ kind: "appointment", appoints });
    const { clanId, platformId } = ref;
    const member = before && changes.length === 0 ? { clanId, platformId, ...before } : await submit(ref, changes, by);
    return { kind: "added", member, clan };
  };
}
