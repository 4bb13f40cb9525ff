// The error for a clan that does not exist, with a suggestion.
import type { ClanStore } from "#usecases/clans/ports.ts";
import { didYouMean } from "./did-you-mean.ts";
import { CliError } from "./cli-error.ts";

export async function unknownClan(clanId: string, clans: Pick<ClanStore, "list">): Promise<CliError> {
  const known = await clans.list();
  const hint =
    didYouMean(
      clanId,
      known.map((clan) => clan.clanId),
    ) || ` Create it with: clanxp clan create ${clanId}`;
  return new CliError("clan_not_found", `There is no clan "${clanId}".${hint}`);
}
