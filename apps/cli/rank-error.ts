// The error for a rank to which nobody can be appointed, with a suggestion.
import type { AppointmentRejection } from "#usecases/members/find-appointment.ts";
import { didYouMean } from "./did-you-mean.ts";
import { CliError } from "./cli-error.ts";

export function rankError(rejection: AppointmentRejection, name: string): CliError {
  if (rejection.kind === "no_rank") {
    const { clanId, ranks } = rejection.clan;
    const names = ranks.map((rank) => rank.name);
    const hint = didYouMean(name, names) || ` It has ${names.join(", ")}.`;
    return new CliError("rank_not_found", `The clan "${clanId}" has no rank "${name}".${hint}`);
  }
  const reason =
    rejection.rankKind === "NORMAL" ? "it is reached by XP alone" : "it is for players without a membership";
  return new CliError(
    "rank_not_appointable",
    `"${name}" is a ${rejection.rankKind} rank: ${reason}. Only STAFF and OWNER ranks can be assigned.`,
  );
}
