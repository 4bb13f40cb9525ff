// erasure-hook remove: ends a hook. What it has received is still done.
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { hookNotFound } from "../show/hook.ts";
import { examples } from "../show/text.ts";

export function addErasureHookRemove(parent: Command, cli: Cli): void {
  parent
    .command("remove")
    .summary("remove an erasure hook")
    .description("Ends the URL and the secret of a hook. The requests that it has received stay, and are done.")
    .argument("<hookId>", "the hook, as clanxp erasure-hook list shows it")
    .addHelpText(
      "after",
      examples([["clanxp erasure-hook remove hok_0mi6qz3k1a2b3c4d", "Roblox gets 404 from now on"]]),
    )
    .action(async (hookId: string) => {
      const by = cli.by();
      const { erasureHooks } = await cli.servers.preparedStores();
      if (!(await erasureHooks.remove({ hookId, ofClan: null }, by))) throw hookNotFound(hookId);
      cli.print({ json: { hookId, status: "removed" }, text: `The erasure hook ${hookId} is removed.` });
    });
}
