// member name: the name by which people know a member.
import type { Command } from "commander";
import { MEMBER_NAME_CHARS_MAX, MEMBER_NAME_FORM, memberNameOf } from "#domain/member-name.ts";
import type { Cli } from "../cli.ts";
import { rejectFaults } from "../cli-error.ts";
import { examples, facts } from "../show/text.ts";
import { memberIn } from "../parse/options.ts";
import { unknownClan } from "../show/not-found.ts";

export function addMemberName(parent: Command, cli: Cli): void {
  parent
    .command("name")
    .summary("set the name of a member")
    .description(
      "Sets the name by which people know a player, also before the first award; none deletes it. The next name that a game server sends replaces it.",
    )
    .argument("<clanId>", "the clan")
    .argument("<platformId>", "the player's id on the game's platform; put one that begins with - after --")
    .argument("<name>", `1 to ${MEMBER_NAME_CHARS_MAX} characters, or none`)
    .addHelpText("after", examples([["clanxp member name rovers 4711 Builderman", "shown in place of 4711"]]))
    .action(async (clanId: string, platformId: string, text: string) => {
      const { clanId: clan, platformId: member } = memberIn(clanId, platformId);
      const name = text === "none" ? null : memberNameOf(text);
      if (text !== "none" && name === null) rejectFaults([`a name has ${MEMBER_NAME_FORM}`]);
      const { clans, names } = await cli.servers.preparedStores();
      if (!(await clans.read([clan])).has(clan)) throw await unknownClan(clan, clans);
      await names.set(clan, [{ platformId: member, name }]);
      cli.print({
        json: { clanId: clan, platformId: member, name },
        text: facts([
          ["clan", clan],
          ["member", member],
          ["name", name ?? "none"],
        ]),
      });
    });
}
