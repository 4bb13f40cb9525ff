// GET /v0/clans/{clanId}/boards.
import { boardResponse } from "#contract/render.ts";
import type { ReadBoards } from "#boards/read-boards.ts";
import type { Route } from "../endpoint.ts";

export function makeListBoardsRoute(boards: Pick<ReadBoards, "list">): Route<"list-boards"> {
  return async ({ principal: { clanId } }) => {
    return { status: 200, body: { boards: (await boards.list(clanId)).map(boardResponse) } };
  };
}
