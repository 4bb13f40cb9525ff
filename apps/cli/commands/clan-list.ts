// clan list: every clan.
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { examples, table } from "../show/text.ts";
import { clanJson } from "../show/clan.ts";

export function addClanList(parent: Command, cli: Cli): void {
  parent
    .command("list")
    .summary("list the clans")
    .description("Lists every clan, by clan id.")
    .addHelpText("after", examples([["clanxp clan list --json | jq -r .clans[].clanId", "the clan ids"]]))
    .action(async () => {
      const stores = await cli.servers.stores();
      const clans = await stores.clans.list();
      const rows = clans.map((clan) => [
        clan.clanId,
        clan.name,
        clan.autoClan ? "on" : "off",
        clan.ranks.map((rank) => rank.name).join(", "),
      ]);
      cli.print({
        json: { clans: clans.map(clanJson) },
        text:
          clans.length === 0
            ? "No clans yet. Create one with: clanxp clan create <clanId>"
            : table(["CLAN", "NAME", "AUTO", "RANKS"], rows),
      });
    });
}
