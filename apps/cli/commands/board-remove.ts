// board remove: deletes a board with its periods and their standings.
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { rejectFaults } from "../cli-error.ts";
import { boardIn, missingBoard, shownBoard } from "../open/boards.ts";
import type { Faults } from "../parse/options.ts";
import { boardResult } from "../show/board.ts";
import { requireConsent } from "../consent.ts";
import { examples } from "../show/text.ts";

export function addBoardRemove(parent: Command, cli: Cli): void {
  parent
    .command("remove")
    .summary("remove a board")
    .description(
      "Removes a board with its periods and their standings, also the final ones. XP does not change. On a terminal, asks first unless --yes is set.",
    )
    .argument("<clanId>", "the clan")
    .argument("<boardId>", "the board")
    .option("--yes", "do not ask")
    .addHelpText("after", examples([["clanxp board remove rovers weekly", "once you confirm it"]]))
    .action(async (clanIdText: string, boardIdText: string, options: { yes?: true }) => {
      const faults: Faults = [];
      const ref = boardIn(clanIdText, boardIdText, faults);
      rejectFaults(faults);
      const by = cli.by();

      const shown = await shownBoard(cli, ref);
      const question = `Remove the board "${shown.name}" with the standings of all its periods? This cannot be undone.`;
      // Without a terminal, a script has decided.
      if (cli.confirm) await requireConsent(cli, options, { question, declined: "Nothing was removed." });
      const { boards } = await cli.servers.preparedStores();
      if (!(await boards.remove(ref, by))) throw await missingBoard(cli, ref);
      cli.print({ ...boardResult(shown), text: `The board "${shown.name}" is removed.` });
    });
}
