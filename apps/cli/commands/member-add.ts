// member add: creates a membership, and with --rank an appointment.
import type { Command } from "commander";
import { makeAddMember } from "#members/add-member.ts";
import type { Cli } from "../cli.ts";
import { examples } from "../show/text.ts";
import { memberIn } from "../parse/options.ts";
import { rankError, unknownClan } from "../show/not-found.ts";
import { memberResult } from "../show/member.ts";
import { withChanges } from "../open/ledger.ts";
import { shownNameOf } from "../open/shown-names.ts";

export function addMemberAdd(parent: Command, cli: Cli): void {
  parent
    .command("add")
    .summary("create a membership, or appoint a member")
    .description(
      "Creates a membership in a clan, also after member remove. Existing XP and an existing membership do not change.",
    )
    .argument("<clanId>", "the clan")
    .argument("<platformId>", "the player's id on the game's platform")
    .option("--rank <name>", "also appoint the player to this STAFF or OWNER rank; NORMAL ranks are derived from XP")
    .addHelpText(
      "after",
      examples([
        ["clanxp member add rovers 4711", "a member, with the rank of their XP"],
        ["clanxp member add rovers 4711 --rank Captain", "appointed to a STAFF or OWNER rank"],
      ]),
    )
    .action(async (clanId: string, platformId: string, options: { rank?: string }) => {
      const ref = memberIn(clanId, platformId);
      const by = cli.by();

      await withChanges(cli, async (deps) => {
        const addition = await makeAddMember(deps)(ref, options.rank ?? null, by);
        if (addition.kind === "no_clan") throw await unknownClan(ref.clanId, deps.clans);
        if (addition.kind !== "added") throw rankError(addition, options.rank ?? "");
        cli.print(memberResult(addition.member, addition.clan, await shownNameOf(cli, ref)));
      });
    });
}
