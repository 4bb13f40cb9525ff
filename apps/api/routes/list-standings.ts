// GET /v0/clans/{clanId}/boards/{boardId}/periods/{periodId}/members.
import { formOf } from "#contract/list-form.ts";
import { standingCursor } from "#contract/page.ts";
import { periodResponse, standingResponse } from "#contract/render.ts";
import type { ReadBoards, StandingsPart } from "#usecases/boards/read-boards.ts";
import type { Call, Route } from "../endpoint.ts";

export function makeListStandingsRoute(boards: Pick<ReadBoards, "standings">): Route<"list-standings"> {
  return async ({ principal: { clanId }, params: { boardId, periodId }, query }) => {
    const found = await boards.standings({ clanId, boardId }, periodId, partOf(query));
    const { period, asOf, items, next } = found;
    const listed = new Set(items.map(({ platformId }) => platformId));
    return {
      status: 200,
      body: {
        period: periodResponse(period),
        asOf: asOf.toISOString(),
        members: items.map(standingResponse),
        ...(query.platformIds ? { missing: query.platformIds.filter((id) => !listed.has(id)) } : {}),
        nextCursor: next && standingCursor(next),
      },
    };
  };
}

function partOf(query: Call<"list-standings">["query"]): StandingsPart {
  const form = formOf(query);
  return form.kind === "page" ? { kind: "page", limit: form.limit, after: form.cursor } : form;
}
