// board standings: the members of a period with their positions.
import type { Command } from "commander";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "#domain/bounds.ts";
import { standingRows } from "#export/standing-rows.ts";
import type { ReadBoards } from "#boards/read-boards.ts";
import type { BoardRef } from "#boards/ports.ts";
import type { Cli } from "../cli.ts";
import { rejectFaults } from "../cli-error.ts";
import { boardIn, readBoards } from "../open/boards.ts";
import { load } from "../open/load.ts";
import { limitIn, type Faults } from "../parse/options.ts";
import { standingsResult } from "../show/board.ts";
import { examples } from "../show/text.ts";

type Options = { period: string; limit: string; csv?: true };

export function addBoardStandings(parent: Command, cli: Cli): void {
  parent
    .command("standings")
    .summary("show who gained the most XP in a period")
    .description("Lists the members of a period by the XP that they gained in it.")
    .argument("<clanId>", "the clan")
    .argument("<boardId>", "the board")
    .option("--period <id>", "the period, as clanxp board show lists it, current or previous", "current")
    .option("--limit <N>", `maximum number of members, 1 to ${PAGE_SIZE_MAX}`, String(PAGE_SIZE_DEFAULT))
    .option("--csv", "all members, as CSV")
    .addHelpText(
      "after",
      examples([
        ["clanxp board standings rovers weekly --limit 10", "the first ten of this week"],
        ["clanxp board standings rovers weekly --period previous --csv", "last week, for a spreadsheet"],
      ]),
    )
    .action(async (clanIdText: string, boardIdText: string, { period, limit: limitText, csv }: Options) => {
      const faults: Faults = [];
      const ref = boardIn(clanIdText, boardIdText, faults);
      const limit = limitIn(limitText, PAGE_SIZE_MAX, faults);
      rejectFaults(faults);

      await readBoards(cli, ref, (boards) =>
        csv ? writeCsv(cli, boards, ref, period) : show(cli, boards, ref, { period, limit }),
      );
    });
}

async function show(cli: Cli, boards: ReadBoards, ref: BoardRef, { period, limit }: { period: string; limit: number }) {
  const standings = await boards.standings(ref, period, { kind: "page", limit, after: null });
  const { standingCursor } = await load.page();
  const nextCursor = standings.next && standingCursor(standings.next);
  cli.print(standingsResult(standings, await namesOf(cli, ref, standings.items), nextCursor));
}

async function writeCsv(cli: Cli, boards: ReadBoards, ref: BoardRef, period: string): Promise<void> {
  const { names } = await cli.servers.stores();
  const { csvOf } = await load.csvWriter();
  for await (const text of csvOf("standings", standingRows({ boards, names }, ref, period))) await cli.write(text);
}

async function namesOf(cli: Cli, { clanId }: BoardRef, items: readonly { platformId: string }[]) {
  const { names } = await cli.servers.stores();
  return names.read(
    clanId,
    items.map(({ platformId }) => platformId),
  );
}
