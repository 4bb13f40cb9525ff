// GET /v0/clans/{clanId}/boards/{boardId}/periods/{periodId}.
import { periodResponse } from "#contract/render.ts";
import type { ReadBoards } from "#boards/read-boards.ts";
import type { Route } from "../endpoint.ts";

export function makeReadPeriodRoute(boards: Pick<ReadBoards, "period">): Route<"read-period"> {
  return async ({ principal: { clanId }, params: { boardId, periodId } }) => {
    return { status: 200, body: periodResponse(await boards.period({ clanId, boardId }, periodId)) };
  };
}
