// board season: adds a season to a board of seasons.
import type { Command } from "commander";
import { makeAddSeason } from "#boards/set-board.ts";
import type { Cli } from "../cli.ts";
import { rejectFaults } from "../cli-error.ts";
import { boardIn, changedBoard, readBoards, seasonIn, shownBoard } from "../open/boards.ts";
import type { Faults } from "../parse/options.ts";
import { boardResult } from "../show/board.ts";
import { examples } from "../show/text.ts";
import { PAGE_SIZE_DEFAULT } from "#domain/bounds.ts";

export function addBoardSeason(parent: Command, cli: Cli): void {
  parent
    .command("season")
    .summary("add a season to a board of seasons")
    .description("Adds a season to a board that was made with --season. Seasons do not overlap.")
    .argument("<clanId>", "the clan")
    .argument("<boardId>", "the board")
    .requiredOption("--from <time>", "when it begins (RFC 3339)")
    .requiredOption("--to <time>", "when it ends (RFC 3339)")
    .addHelpText(
      "after",
      examples([
        ["clanxp board season rovers seasons --from 2027-03-01T00:00:00Z --to 2027-06-01T00:00:00Z", "the next one"],
      ]),
    )
    .action(async (clanIdText: string, boardIdText: string, options: { from: string; to: string }) => {
      const faults: Faults = [];
      const ref = boardIn(clanIdText, boardIdText, faults);
      const season = seasonIn(options, faults);
      rejectFaults(faults);
      const by = cli.by();

      const stores = await cli.servers.preparedStores();
      await changedBoard(cli, ref, await makeAddSeason(stores)(ref, season, by));
      const page = { limit: PAGE_SIZE_DEFAULT, before: null };
      const { items } = await readBoards(cli, ref, (boards) => boards.periods(ref, page));
      cli.print(boardResult(await shownBoard(cli, ref), items));
    });
}
