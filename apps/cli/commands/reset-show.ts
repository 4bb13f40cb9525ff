// reset show: one reset and its progress.
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { notFound } from "../show/not-found.ts";
import { resetResult } from "../show/reset.ts";
import { examples } from "../show/text.ts";

export function addResetShow(parent: Command, cli: Cli): void {
  parent
    .command("show")
    .summary("show a reset and its progress")
    .description("Shows a reset, its status, and what it has taken until now.")
    .argument("<resetId>", "the reset, as clanxp reset list shows it")
    .addHelpText("after", examples([["clanxp reset show rst_0mgx2v5k1a1b2c3d4e5f60718", "its progress"]]))
    .action(async (resetId: string) => {
      const { resets } = await cli.servers.stores();
      const reset = await resets.read(resetId);
      if (!reset) throw notFound.reset(resetId);
      cli.print(resetResult(reset));
    });
}
