// member remove: ends a membership.
import type { Command } from "commander";
import { makeRemoveMember } from "#usecases/members/remove-member.ts";
import type { Cli } from "../cli.ts";
import { examples } from "../examples.ts";
import { clanIdIn, platformIdIn, type Faults } from "../parse.ts";
import { Refusal, refuseFaults } from "../refusal.ts";
import { memberResult } from "../show-member.ts";
import { unknownClan } from "../unknown-clan.ts";
import { withChanges } from "../with-changes.ts";

export function addMemberRemove(parent: Command, cli: Cli): void {
  parent
    .command("remove")
    .summary("end a membership")
    .description(
      "Ends a membership, and an appointment with it. The member's XP stays and their rank becomes the guest rank. An Auto Clan does not " +
        "take a removed member back when they earn XP; clanxp member add does. If there is no membership, nothing changes.",
    )
    .argument("<clanId>", "the clan")
    .argument("<platformId>", "the player's id on the game's platform; put one that begins with - after --")
    .addHelpText("after", examples([["clanxp member remove rovers 4711", "no longer a member; XP and ledger stay"]]))
    .action(async (clanIdText: string, platformIdText: string) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      const platformId = platformIdIn(platformIdText, faults);
      refuseFaults(faults);
      const by = cli.by();

      await withChanges(cli, async (world) => {
        const removal = await makeRemoveMember(world)({ clanId, platformId }, by);
        if (removal.kind === "no_clan") throw await unknownClan(clanId, world.clans);
        if (removal.kind === "no_member") {
          throw new Refusal("member_not_found", `The clan "${clanId}" stores nothing for "${platformId}".`);
        }
        cli.answer(memberResult(removal.member, removal.clan));
      });
    });
}
