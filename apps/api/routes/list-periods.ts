// GET /v0/clans/{clanId}/boards/{boardId}/periods.
import { periodCursor } from "#contract/page.ts";
import { periodResponse } from "#contract/render.ts";
import type { ReadBoards } from "#boards/read-boards.ts";
import type { Route } from "../endpoint.ts";

export function makeListPeriodsRoute(boards: Pick<ReadBoards, "periods">): Route<"list-periods"> {
  return ({ principal: { clanId }, params: { boardId }, query: { limit, cursor }, inTurn }) =>
    inTurn(limit, async () => {
      const { items, next } = await boards.periods({ clanId, boardId }, { limit, before: cursor ?? null });
      return { status: 200, body: { periods: items.map(periodResponse), nextCursor: next && periodCursor(next) } };
    });
}
