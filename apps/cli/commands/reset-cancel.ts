// reset cancel: a reset that has not begun does not run.
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { CliError } from "../cli-error.ts";
import { notFound } from "../show/not-found.ts";
import { resetResult } from "../show/reset.ts";
import { examples } from "../show/text.ts";

export function addResetCancel(parent: Command, cli: Cli): void {
  parent
    .command("cancel")
    .summary("cancel a reset that has not begun")
    .description(
      "Cancels a reset that has not begun. Running it again changes nothing. A reset that has begun is undone by clanxp reverse --reset.",
    )
    .argument("<resetId>", "the reset, as clanxp reset list shows it")
    .addHelpText("after", examples([["clanxp reset cancel rst_0mgx2v5k1a1b2c3d4e5f60718", "it does not run"]]))
    .action(async (resetId: string) => {
      const by = cli.by();
      const { resets } = await cli.servers.preparedStores();
      const reset = await resets.cancel({ resetId }, by);
      if (!reset) throw notFound.reset(resetId);
      if (reset.state !== "cancelled") {
        const state = reset.state === "done" ? "is done" : "has begun";
        throw new CliError(
          "reset_has_begun",
          `The reset ${resetId} ${state}, so it cannot be cancelled. Nothing was changed. Undo it: clanxp reverse ${reset.clanId} --reset ${resetId}`,
        );
      }
      cli.print(resetResult(reset));
    });
}
