// member show: one member's XP, rank and membership.
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { examples } from "../examples.ts";
import { clanIdIn, platformIdIn, type Faults } from "../parse.ts";
import { Refusal, refuseFaults } from "../refusal.ts";
import { memberResult } from "../show-member.ts";
import { unknownClan } from "../unknown-clan.ts";

export function addMemberShow(parent: Command, cli: Cli): void {
  parent
    .command("show")
    .summary("show a member")
    .description("Shows XP, rank and membership of a player in a clan. Exits with code 1 if nothing is stored.")
    .argument("<clanId>", "the clan")
    .argument("<platformId>", "the player's id on the game's platform; put one that begins with - after --")
    .addHelpText(
      "after",
      examples([["clanxp member show rovers 4711 --json | jq -r .xp", "the XP, as a decimal string"]]),
    )
    .action(async (clanIdText: string, platformIdText: string) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      const platformId = platformIdIn(platformIdText, faults);
      refuseFaults(faults);

      const database = await cli.servers.mongo();
      const [{ makeClanStore }, { makeMemberStore }] = await Promise.all([
        import("#store/clan-store.ts"),
        import("#store/member-store.ts"),
      ]);
      const clans = makeClanStore(database);
      const clan = (await clans.read([clanId])).get(clanId);
      if (!clan) throw await unknownClan(clanId, clans);
      const member = await makeMemberStore(database).read({ clanId, platformId });
      if (!member) throw new Refusal("member_not_found", `The clan "${clanId}" stores nothing for "${platformId}".`);
      cli.answer(memberResult(member, clan));
    });
}
