// member show: one member's XP, rank and membership.
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { examples } from "../show/text.ts";
import { openFreshLists } from "../open/fresh-lists.ts";
import { memberIn } from "../parse/options.ts";
import { notFound, unknownClan } from "../show/not-found.ts";
import { memberResult } from "../show/member.ts";

export function addMemberShow(parent: Command, cli: Cli): void {
  parent
    .command("show")
    .summary("show a member")
    .description(
      "Shows XP, rank, membership, position and last award of a player in a clan. Exits with code 1 if nothing is stored.",
    )
    .argument("<clanId>", "the clan")
    .argument("<platformId>", "the player's id on the game's platform; put one that begins with - after --")
    .addHelpText(
      "after",
      examples([["clanxp member show rovers 4711 --json | jq -r .xp", "the XP, as a decimal string"]]),
    )
    .action(async (clanId: string, platformId: string) => {
      const ref = memberIn(clanId, platformId);

      const { clans, members, names } = await cli.servers.stores();
      const clan = (await clans.read([ref.clanId])).get(ref.clanId);
      if (!clan) throw await unknownClan(ref.clanId, clans);
      const member = await members.read(ref);
      if (!member) throw notFound.member(ref);
      const stored = await names.readAll(ref.clanId, [ref.platformId]);
      const { name = null, isHidden = false } = stored.get(ref.platformId) ?? {};
      const positions = await (await openFreshLists(cli)).leaderboard.positions(ref.clanId, [member]);
      const known = new Map(name === null ? [] : [[ref.platformId, name]]);
      cli.print(memberResult(member, clan, { names: known, positions, hidden: isHidden }));
    });
}
