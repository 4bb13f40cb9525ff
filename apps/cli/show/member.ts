// Members in the output of the CLI.
import type { Clan } from "#domain/clan.ts";
import type { Position } from "#domain/position.ts";
import { memberResponse, type MemberExtras } from "#contract/render.ts";
import type { Member } from "#domain/member.ts";
import type { CommandResult } from "../cli.ts";
import { facts } from "./text.ts";

/** Absent where they are not shown. `hidden`: on the clan's public page. */
type Extras = MemberExtras & { hidden?: boolean };

export function memberResult(member: Member, clan: Clan, { hidden, ...extras }: Extras = {}): CommandResult {
  const { clanId, platformId } = member;
  const { xp, rank, membership, name, position, lastAwardAt } = memberResponse(member, clan, extras);
  return {
    json: {
      clanId,
      platformId,
      xp,
      rank,
      membership,
      ...(name === undefined ? {} : { name }),
      ...(position === undefined ? {} : { position, lastAwardAt }),
      ...(hidden === undefined ? {} : { hidden }),
    },
    text: facts([
      ["clan", clanId],
      ["member", platformId],
      ...(name === undefined ? [] : [["name", name ?? "none"] as const]),
      ["XP", xp],
      ["rank", rank],
      ["membership", membership ? `since ${membership.since}` : "none"],
      ...(position === undefined
        ? []
        : ([
            ["position", position ? `${positionText(position)} of ${position.of}` : "none: a removed member"],
            ["last award", lastAwardAt ?? "none"],
          ] as const)),
      ...(hidden ? [["public page", "hidden"] as const] : []),
    ]),
  };
}

export function positionText({ value, approximate }: Position): string {
  return approximate ? `about ${value}` : value.toString();
}
