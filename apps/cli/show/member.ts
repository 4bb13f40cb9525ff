// A member in the output of the CLI.
import type { Clan } from "#domain/clan.ts";
import { memberResponse } from "#contract/render.ts";
import type { Member } from "#domain/member.ts";
import type { CommandResult } from "../cli.ts";
import { facts } from "./text.ts";

/** `names`: by platformId; absent where the name is not shown. */
export function memberResult(member: Member, clan: Clan, names?: ReadonlyMap<string, string>): CommandResult {
  const { clanId, platformId } = member;
  const { xp, rank, membership, name } = memberResponse(member, clan, names);
  return {
    json: { clanId, platformId, xp, rank, membership, ...(name === undefined ? {} : { name }) },
    text: facts([
      ["clan", clanId],
      ["member", platformId],
      ...(name === undefined ? [] : [["name", name ?? "none"] as const]),
      ["XP", xp],
      ["rank", rank],
      ["membership", membership ? `since ${membership.since}` : "none"],
    ]),
  };
}
