// Boards for a command, as current as the API's.
import { AppError } from "#kernel/app-error.ts";
import { isBoardId } from "#domain/board.ts";
import type { BoardRejection, BoardRequest } from "#boards/set-board.ts";
import type { BoardRef, StoredBoard } from "#boards/ports.ts";
import type { ReadBoards, ShownBoard } from "#boards/read-boards.ts";
import type { Cli } from "../cli.ts";
import { CliError, rejectFaults } from "../cli-error.ts";
import { clanIdIn, timestampIn, type Faults } from "../parse/options.ts";
import { notFound, unknownClan } from "../show/not-found.ts";
import { makeProjectAll } from "./fresh-lists.ts";
import { silentLog } from "./servers.ts";

export type Season = NonNullable<BoardRequest["season"]>;

/** The board that a command names: <clanId> <boardId>. */
export function boardIn(clanIdText: string, boardId: string, faults: Faults): BoardRef {
  if (!isBoardId(boardId)) faults.push(`"${boardId}" is not a board id: it has 1 to 32 characters of a-z 0-9 -`);
  return { clanId: clanIdIn(clanIdText, faults), boardId };
}

/** The times of a season. */
export function seasonIn({ from, to }: { from?: string; to?: string }, faults: Faults): Season {
  if (from === undefined) faults.push("--from is missing: the time at which the season begins");
  if (to === undefined) faults.push("--to is missing: the time at which the season ends");
  return {
    startsAt: from === undefined ? new Date(0) : timestampIn("--from", from, faults),
    endsAt: to === undefined ? new Date(0) : timestampIn("--to", to, faults),
  };
}

/** Reads of boards, whose errors are those of a command. */
export async function readBoards<T>(cli: Cli, ref: BoardRef, read: (boards: ReadBoards) => Promise<T>): Promise<T> {
  const stores = await cli.servers.preparedStores();
  const boards = stores.openBoards({ project: makeProjectAll(cli, "the standings"), clock: cli.clock, log: silentLog });
  try {
    return await read(boards);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "board_not_found") throw await missingBoard(cli, ref);
    if (error.code === "period_not_found" || error.code === "member_not_found")
      throw new CliError(error.code, error.message);
    throw error;
  }
}

/** Throws CliError `clan_not_found`, `board_not_found`. */
export async function shownBoard(cli: Cli, ref: BoardRef): Promise<ShownBoard> {
  const all = await readBoards(cli, ref, (boards) => boards.list(ref.clanId));
  const board = all.find(({ boardId }) => boardId === ref.boardId);
  if (!board) throw await missingBoard(cli, ref);
  return board;
}

export async function missingBoard(cli: Cli, { clanId, boardId }: BoardRef): Promise<CliError> {
  const { clans, boards } = await cli.servers.stores();
  const found = await boards.read(clanId);
  if (!found) return unknownClan(clanId, clans);
  return notFound.board(
    { clanId, boardId },
    found.boards.map((board) => board.boardId),
  );
}

/** The board after its change. Throws CliError for what was rejected. */
export async function changedBoard(
  cli: Cli,
  ref: BoardRef,
  result: StoredBoard | { rejected: BoardRejection },
): Promise<StoredBoard> {
  if (!("rejected" in result)) return result;
  const { rejected } = result;
  switch (rejected.kind) {
    case "no_clan":
    case "no_board":
      throw await missingBoard(cli, ref);
    case "invalid":
      rejectFaults(rejected.faults);
      throw new CliError("usage", "The board was not changed.");
    case "too_many_boards":
    case "season_overlaps":
      throw new CliError(rejected.kind, rejected.detail);
  }
}
