// board list: a clan's boards.
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { rejectFaults } from "../cli-error.ts";
import { missingBoard, readBoards } from "../open/boards.ts";
import { clanIdIn, type Faults } from "../parse/options.ts";
import { boardsResult } from "../show/board.ts";
import { examples } from "../show/text.ts";

export function addBoardList(parent: Command, cli: Cli): void {
  parent
    .command("list")
    .summary("list a clan's boards")
    .description("Lists a clan's boards with their running periods.")
    .argument("<clanId>", "the clan")
    .addHelpText("after", examples([["clanxp board list rovers", "what is counted, and until when"]]))
    .action(async (clanIdText: string) => {
      const faults: Faults = [];
      const clanId = clanIdIn(clanIdText, faults);
      rejectFaults(faults);

      const { clans } = await cli.servers.stores();
      const ref = { clanId, boardId: "" };
      if (!(await clans.read([clanId])).has(clanId)) throw await missingBoard(cli, ref);
      cli.print(boardsResult(await readBoards(cli, ref, (boards) => boards.list(clanId))));
    });
}
