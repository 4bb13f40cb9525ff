// A clan in the output of the CLI.
import type { Clan } from "#domain/clan.ts";
import { clanResponse } from "#contract/render.ts";
import type { CommandResult } from "../cli.ts";
import type { Format } from "./format.ts";
import { facts, table } from "./text.ts";

export function clanJson(clan: Clan) {
  return {
    ...clanResponse(clan),
    xpFloor: clan.xpFloor?.toString() ?? null,
    xpCap: clan.xpCap.toString(),
    amountMax: clan.amountMax.toString(),
    ...(clan.dailyCap ? { xpPerDay: clan.dailyCap.xp.toString() } : {}),
    ...(clan.awardEvents ? { awardEvents: true } : {}),
  };
}

export function clanResult(clan: Clan): CommandResult {
  return { json: clanJson(clan), text: (format) => clanText(clan, format) };
}

export function clanText(clan: Clan, { number }: Format): string {
  const ranks = clan.ranks.map((rank) => [rank.name, rank.kind, rank.kind === "NORMAL" ? number(rank.threshold) : ""]);
  return [
    facts([
      ["clan", clan.clanId],
      ["name", clan.name],
      [
        "Auto Clan",
        clan.autoClan
          ? "on: XP is stored for everyone, and memberships are created automatically"
          : "off: XP is stored for members only",
      ],
      ["minimum XP", clan.xpFloor === null ? "none" : number(clan.xpFloor)],
      ["maximum XP", number(clan.xpCap)],
      ["largest amount", `${number(clan.amountMax)} per award, positive or negative`],
      ...(clan.dailyCap
        ? [["XP per day", `${number(clan.dailyCap.xp)} per member, by awards of API keys`] as const]
        : []),
      ...(clan.awardEvents ? [["award events", "on: each award has an event"] as const] : []),
    ]),
    table(["RANK", "KIND", "FROM XP"], ranks, ["FROM XP"]),
  ].join("\n\n");
}
