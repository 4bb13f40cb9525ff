// member appoint: appoints a member to a STAFF or OWNER rank, or withdraws the appointment.
import type { Command } from "commander";
import { makeAppointMember } from "#members/appoint-member.ts";
import type { Cli } from "../cli.ts";
import { examples } from "../show/text.ts";
import { memberIn } from "../parse/options.ts";
import { CliError } from "../cli-error.ts";
import { rankError, unknownClan } from "../show/not-found.ts";
import { memberResult } from "../show/member.ts";
import { withChanges } from "../open/ledger.ts";
import { shownNameOf } from "../open/shown-names.ts";

export function addMemberAppoint(parent: Command, cli: Cli): void {
  parent
    .command("appoint")
    .summary("appoint a member to a rank, or withdraw it")
    .description(
      "Appoints a member to a STAFF or OWNER rank, independent of their XP. With --rank none it withdraws the appointment, and their " +
        "rank is derived from XP again.",
    )
    .argument("<clanId>", "the clan")
    .argument("<platformId>", "the player's id on the game's platform; put one that begins with - after --")
    .requiredOption("--rank <NAME|none>", "the STAFF or OWNER rank; none: no appointment")
    .addHelpText(
      "after",
      examples([
        ["clanxp member appoint rovers 4711 --rank Captain", "a Captain from now on"],
        ["clanxp member appoint rovers 4711 --rank none", "back to the rank of their XP"],
      ]),
    )
    .action(async (clanIdText: string, platformIdText: string, options: { rank: string }) => {
      const { clanId, platformId } = memberIn(clanIdText, platformIdText);
      const by = cli.by();

      await withChanges(cli, async (deps) => {
        const appointment = await makeAppointMember(deps)(
          { clanId, platformId },
          options.rank === "none" ? null : options.rank,
          by,
        );
        if (appointment.kind === "no_clan") throw await unknownClan(clanId, deps.clans);
        if (appointment.kind === "no_membership") {
          const hint = options.rank === "none" ? "" : " clanxp member add --rank creates a membership and appoints.";
          throw new CliError("member_not_found", `"${platformId}" has no membership in the clan "${clanId}".${hint}`);
        }
        if (appointment.kind !== "appointed") throw rankError(appointment, options.rank);
        const shown = await shownNameOf(cli, { clanId, platformId });
        cli.print(memberResult(appointment.member, appointment.clan, shown));
      });
    });
}
