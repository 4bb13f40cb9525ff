// A member in the output of the CLI.
import type { Clan } from "#domain/clan.ts";
import { memberAnswer } from "#contract/render.ts";
import type { Member } from "#domain/member.ts";
import type { CommandResult } from "./cli.ts";
import { facts } from "./table.ts";

export function memberResult(member: Member, clan: Clan): CommandResult {
  const { clanId, platformId } = member;
  const { xp, rank, membership } = memberAnswer(member, clan);
  return {
    json: { clanId, platformId, xp, rank, membership },
    text: facts([
      ["clan", clanId],
      ["member", platformId],
      ["XP", xp],
      ["rank", rank],
      ["membership", membership ? `since ${membership.since}` : "none"],
    ]),
  };
}
