// A member as the CLI shows it.
import type { Clan } from "#domain/clan.ts";
import { standingOf } from "#domain/member.ts";
import type { Member } from "#domain/member.ts";
import type { CommandResult } from "./cli.ts";
import { facts } from "./table.ts";

export function memberResult(member: Member, clan: Clan): CommandResult {
  const { clanId, platformId } = member;
  const { rank } = standingOf(clan, member);
  const xp = member.xp.toString();
  const since = member.membership?.since.toISOString();
  return {
    json: { clanId, platformId, xp, rank, membership: since === undefined ? null : { since } },
    text: facts([
      ["clan", clanId],
      ["member", platformId],
      ["XP", xp],
      ["rank", rank],
      ["membership", since === undefined ? "none" : `since ${since}`],
    ]),
  };
}
