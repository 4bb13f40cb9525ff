// What a worker does for boards: it stores periods that have begun, counts what was there before a board, and makes
// periods final. A read does the same, so that boards work without a worker.
import { logFailures } from "#async/failures.ts";
import type { CatchUpBoards } from "#boards/catch-up.ts";
import type { BoardStore } from "#boards/ports.ts";
import type { Log } from "#kernel/log.ts";

/** Throws AppError `unavailable`. */
export type KeepBoards = () => Promise<void>;

export function makeKeepBoards(deps: {
  boards: Pick<BoardStore, "clansDue">;
  catchUp: CatchUpBoards;
  log: Log;
}): KeepBoards {
  const { boards, catchUp, log } = deps;
  const failed = logFailures(log, "board.upkeep_failed");
  return async function keepBoards() {
    for (const clanId of await boards.clansDue()) {
      // One clan must not delay the others.
      await catchUp(clanId).catch((error: unknown) => failed(error, { clanId }));
    }
  };
}
