// erasure-hook list: where Roblox's erasure requests are received.
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { hooksResult } from "../show/hook.ts";
import { examples } from "../show/text.ts";

export function addErasureHookList(parent: Command, cli: Cli): void {
  parent
    .command("list")
    .summary("list erasure hooks")
    .description("Lists the erasure hooks of all clans, the oldest first, without their secrets.")
    .addHelpText("after", examples([["clanxp erasure-hook list", "the ids for the other commands"]]))
    .action(async () => {
      const { apiUrl } = cli.settings("servers", "apiUrl");
      const { erasureHooks } = await cli.servers.stores();
      cli.print(hooksResult(await erasureHooks.list(null), apiUrl));
    });
}
