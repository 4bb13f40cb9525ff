// clan show: one clan with its settings and ranks.
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { publicPageResponse } from "#contract/public-page.ts";
import { examples, facts } from "../show/text.ts";
import { clanIdIn, type Faults } from "../parse/options.ts";
import { rejectFaults } from "../cli-error.ts";
import { clanJson, clanText } from "../show/clan.ts";
import { unknownClan } from "../show/not-found.ts";

export function addClanShow(parent: Command, cli: Cli): void {
  parent
    .command("show")
    .summary("show a clan")
    .description("Shows a clan: its settings, its ranks and its public page.")
    .argument("<clanId>", "the clan")
    .addHelpText(
      "after",
      examples([["clanxp clan show rovers --json | jq -r .ranks[].name", "the names of its ranks"]]),
    )
    .action(async (clanIdText: string) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      rejectFaults(faults);

      const { dashboardUrl } = cli.settings("servers", "dashboardUrl");

      const { clans } = await cli.servers.stores();
      const clan = (await clans.read([clanId])).get(clanId);
      if (!clan) throw await unknownClan(clanId, clans);
      const publicPage = publicPageResponse(clan.publicPage, dashboardUrl);
      const shown = facts([["public page", publicPage?.url ?? "not published"]]);
      cli.print({
        json: { ...clanJson(clan), publicPage },
        text: (format) => `${clanText(clan, format)}\n\n${shown}`,
      });
    });
}
