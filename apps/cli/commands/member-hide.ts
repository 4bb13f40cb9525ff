// member hide and unhide: whether the clan's public page shows the member.
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { memberIn } from "../parse/options.ts";
import { unknownClan } from "../show/not-found.ts";
import { shownNames } from "../open/shown-names.ts";
import { withName } from "../show/names.ts";
import { examples, facts } from "../show/text.ts";

export function addMemberHide(parent: Command, cli: Cli): void {
  addCommand(parent, cli, {
    name: "hide",
    isHidden: true,
    summary: "hide a member on the public page",
    description:
      "Shows a member as Hidden player on the clan's public page: the position and XP stay, without a name or an appointed rank. It works before the first award, too.",
    example: ["clanxp member hide rovers 4711", "within 5 seconds"],
  });
}

export function addMemberUnhide(parent: Command, cli: Cli): void {
  addCommand(parent, cli, {
    name: "unhide",
    isHidden: false,
    summary: "show a member on the public page again",
    description: "Ends what clanxp member hide did. A member whom the game hides stays hidden.",
    example: ["clanxp member unhide rovers 4711", "unless the game hides the member"],
  });
}

type HideCommand = {
  name: string;
  isHidden: boolean;
  summary: string;
  description: string;
  example: [string, string];
};

function addCommand(parent: Command, cli: Cli, { name, isHidden, summary, description, example }: HideCommand): void {
  parent
    .command(name)
    .summary(summary)
    .description(description)
    .argument("<clanId>", "the clan")
    .argument("<platformId>", "the player's id on the game's platform; put one that begins with - after --")
    .addHelpText("after", examples([example]))
    .action(async (clanIdText: string, platformIdText: string) => {
      const member = memberIn(clanIdText, platformIdText);
      const { clanId, platformId } = member;
      const by = cli.by();

      const { clans, hiddenMembers, names } = await cli.servers.preparedStores();
      const isKnown = await hiddenMembers.set(member, isHidden, by);
      if (!isKnown && !(await clans.read([clanId])).has(clanId)) throw await unknownClan(clanId, clans);
      // The game may hide the member, too.
      const hidden = (await names.readAll(clanId, [platformId])).get(platformId)?.isHidden ?? false;
      const shown = await shownNames(cli, clanId, [platformId]);
      cli.print({
        json: { clanId, platformId, hidden },
        text: facts([
          ["clan", clanId],
          ["member", withName(shown, platformId)],
          ["public page", hidden ? "hidden" : "shown"],
        ]),
      });
    });
}
