// The errors for what a command names and nothing is stored of, with a suggestion where there are similar names.
import type { MemberRef } from "#domain/member-id.ts";
import type { ClanStore } from "#clans/ports.ts";
import type { AppointmentRejection } from "#members/find-appointment.ts";
import { CliError, didYouMean } from "../cli-error.ts";

export const notFound = {
  account: (name: string) =>
    new CliError("account_not_found", `There is no account "${name}". clanxp account list shows all.`),
  batch: (batchId: string) => new CliError("batch_not_found", `There is no batch "${batchId}".`),
  board: ({ clanId, boardId }: { clanId: string; boardId: string }, known: readonly string[]) =>
    new CliError(
      "board_not_found",
      `The clan "${clanId}" has no board "${boardId}".${didYouMean(boardId, known) || " clanxp board list shows all."}`,
    ),
  boost: (boostId: string) =>
    new CliError("boost_not_found", `There is no boost "${boostId}". clanxp boost list shows a clan's boosts.`),
  key: (keyId: string) =>
    new CliError("key_not_found", `There is no key "${keyId}". clanxp key list shows a clan's keys.`),
  reset: (resetId: string) =>
    new CliError("reset_not_found", `There is no reset "${resetId}". clanxp reset list shows a clan's resets.`),
  member: ({ clanId, platformId }: MemberRef) =>
    new CliError("member_not_found", `The clan "${clanId}" stores nothing for "${platformId}".`),
};

export async function unknownClan(clanId: string, clans: Pick<ClanStore, "list" | "wasDeleted">): Promise<CliError> {
  if (await clans.wasDeleted(clanId))
    return new CliError(
      "clan_not_found",
      `The clan "${clanId}" was deleted. clanxp audit list --clan ${clanId} says by whom.`,
    );
  const known = await clans.list();
  const hint =
    didYouMean(
      clanId,
      known.map((clan) => clan.clanId),
    ) || ` Create it with: clanxp clan create ${clanId}`;
  return new CliError("clan_not_found", `There is no clan "${clanId}".${hint}`);
}

/** For a rank to which nobody can be appointed. */
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
