// member remove: ends a membership.
import type { Command } from "commander";
import { makeRemoveMember } from "#members/remove-member.ts";
import type { Cli } from "../cli.ts";
import { examples } from "../show/text.ts";
import { memberIn } from "../parse/options.ts";
import { notFound, unknownClan } from "../show/not-found.ts";
import { memberResult } from "../show/member.ts";
import { withChanges } from "../open/ledger.ts";
import { shownNameOf } from "../open/shown-names.ts";

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
    .action(async (clanId: string, platformId: string) => {
      const ref = memberIn(clanId, platformId);
      const by = cli.by();

      await withChanges(cli, async (deps) => {
        const removal = await makeRemoveMember(deps)(ref, by);
        if (removal.kind === "no_clan") throw await unknownClan(ref.clanId, deps.clans);
        if (removal.kind === "no_member") {
          throw notFound.member(ref);
        }
        cli.print(memberResult(removal.member, removal.clan, await shownNameOf(cli, ref)));
      });
    });
}
