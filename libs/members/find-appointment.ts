// Finds the rank of a clan that an operator's input names, if members can be appointed to it.
import { isAppointable, type AppointableRank, type RankKind } from "#domain/rank.ts";
import type { Clan } from "#domain/clan.ts";

export type AppointmentRejection = { kind: "no_rank"; clan: Clan } | { kind: "not_appointable"; rankKind: RankKind };
export type Appointment = { kind: "found"; rank: AppointableRank } | AppointmentRejection;

export function findAppointment(clan: Clan, name: string): Appointment {
  const rank = clan.ranks.find((one) => one.name === name);
  if (!rank) return { kind: "no_rank", clan };
  return isAppointable(rank) ? { kind: "found", rank } : { kind: "not_appointable", rankKind: rank.kind };
}
