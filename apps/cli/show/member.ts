// Members in the output of the CLI.
import type { Clan } from "#domain/clan.ts";
import type { Position } from "#domain/position.ts";
import { memberResponse, type MemberExtras } from "#contract/render.ts";
import type { Member } from "#domain/member.ts";
import type { CommandResult } from "../cli.ts";
import type { Format } from "./format.ts";
import { facts } from "./text.ts";

/** Absent where they are not shown. `hidden`: on the clan's public page. `shownName`: in the text alone. */
type Extras = MemberExtras & { hidden?: boolean; shownName?: string };

export function memberResult(member: Member, clan: Clan, { hidden, shownName, ...extras }: Extras = {}): CommandResult {
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
    text: ({ time, number }) =>
      facts([
        ["clan", clanId],
        ["member", platformId],
        ...(name === undefined && shownName === undefined ? [] : [["name", name ?? shownName ?? "none"] as const]),
        ["XP", number(xp)],
        ["rank", rank],
        ["membership", membership ? `since ${time(membership.since)}` : "none"],
        ...(position === undefined
          ? []
          : ([
              [
                "position",
                position ? `${positionText(position, number)} of ${number(position.of)}` : "none: a removed member",
              ],
              ["last award", lastAwardAt ? time(lastAwardAt) : "none"],
            ] as const)),
        ...(hidden ? [["public page", "hidden"] as const] : []),
      ]),
  };
}

export function positionText({ value, approximate }: Position, number: Format["number"]): string {
  return approximate ? `about ${number(value)}` : number(value);
}
