// board show: a board and its newest periods.
import type { Command } from "commander";
import { PAGE_SIZE_DEFAULT } from "#domain/bounds.ts";
import type { Cli } from "../cli.ts";
import { rejectFaults } from "../cli-error.ts";
import { boardIn, readBoards, shownBoard } from "../open/boards.ts";
import type { Faults } from "../parse/options.ts";
import { boardResult } from "../show/board.ts";
import { examples } from "../show/text.ts";

export function addBoardShow(parent: Command, cli: Cli): void {
  parent
    .command("show")
    .summary("show a board and its periods")
    .description(`Shows a board and its ${PAGE_SIZE_DEFAULT} newest periods, from the next one that is coming.`)
    .argument("<clanId>", "the clan")
    .argument("<boardId>", "the board")
    .addHelpText("after", examples([["clanxp board show rovers weekly", "when its periods begin and end"]]))
    .action(async (clanIdText: string, boardIdText: string) => {
      const faults: Faults = [];
      const ref = boardIn(clanIdText, boardIdText, faults);
      rejectFaults(faults);

      const board = await shownBoard(cli, ref);
      const page = { limit: PAGE_SIZE_DEFAULT, before: null };
      const { items } = await readBoards(cli, ref, (boards) => boards.periods(ref, page));
      cli.print(boardResult(board, items));
    });
}
