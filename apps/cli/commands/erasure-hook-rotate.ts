// erasure-hook rotate: another secret for a hook, because the old one may be known to others.
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { openHooksBy } from "../open/hooks.ts";
import { secretResult } from "../show/hook.ts";
import { examples } from "../show/text.ts";

export function addErasureHookRotate(parent: Command, cli: Cli): void {
  parent
    .command("rotate")
    .summary("replace the secret of an erasure hook")
    .description(
      "Makes a new secret and prints it once. The old secret ends immediately: until you have entered the new one at Roblox, its requests fail, and Roblox tries each five times.",
    )
    .argument("<hookId>", "the hook, as clanxp erasure-hook list shows it")
    .addHelpText("after", examples([["clanxp erasure-hook rotate hok_0mi6qz3k1a2b3c4d", "the old secret has leaked"]]))
    .action(async (hookId: string) => {
      const { by, apiUrl, manage } = await openHooksBy(cli);
      cli.print(secretResult(await manage.rotate({ hookId, ofClan: null }, by), apiUrl));
    });
}
