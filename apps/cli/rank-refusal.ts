// The error for a rank to which nobody can be appointed, with a suggestion.
import type { AppointmentRefusal } from "#usecases/members/find-appointment.ts";
import { didYouMean } from "./did-you-mean.ts";
import { Refusal } from "./refusal.ts";

export function rankRefusal(refusal: AppointmentRefusal, name: string): Refusal {
  if (refusal.kind === "no_rank") {
    const { clanId, ranks } = refusal.clan;
    const names = ranks.map((rank) => rank.name);
    const hint = didYouMean(name, names) || ` It has ${names.join(", ")}.`;
    return new Refusal("rank_not_found", `The clan "${clanId}" has no rank "${name}".${hint}`);
  }
  const reason = refusal.rankKind === "NORMAL" ? "it is reached by XP alone" : "it is for players without a membership";
  return new Refusal(
    "rank_not_appointable",
    `"${name}" is a ${refusal.rankKind} rank: ${reason}. Only STAFF and OWNER ranks can be assigned.`,
  );
}
