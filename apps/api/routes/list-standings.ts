// GET /v0/clans/{clanId}/boards/{boardId}/periods/{periodId}/members.
import { formOf, rowsOf } from "#contract/list-form.ts";
import { standingCursor } from "#contract/page.ts";
import { periodResponse, standingResponse } from "#contract/render.ts";
import type { ReadBoards, StandingsPart } from "#boards/read-boards.ts";
import type { NameStore } from "#names/ports.ts";
import type { Call, Route } from "../endpoint.ts";

export function makeListStandingsRoute({
  boards,
  names,
}: {
  boards: Pick<ReadBoards, "standings">;
  names: Pick<NameStore, "read">;
}): Route<"list-standings"> {
  return ({ principal: { clanId }, params: { boardId, periodId }, query, inTurn }) =>
    inTurn(rowsOf(formOf(query)), async () => {
      const found = await boards.standings({ clanId, boardId }, periodId, partOf(query));
      const { period, asOf, items, next } = found;
      const ids = items.map(({ platformId }) => platformId);
      const listed = new Set(ids);
      const known = query.include?.has("name") ? await names.read(clanId, ids) : null;
      return {
        status: 200,
        body: {
          period: periodResponse(period),
          asOf: asOf.toISOString(),
          members: items.map((one) => ({
            ...standingResponse(one),
            ...(known ? { name: known.get(one.platformId) ?? null } : {}),
          })),
          ...(query.platformIds ? { missing: query.platformIds.filter((id) => !listed.has(id)) } : {}),
          nextCursor: next && standingCursor(next),
        },
      };
    });
}

function partOf(query: Call<"list-standings">["query"]): StandingsPart {
  const form = formOf(query);
  return form.kind === "page" ? { kind: "page", limit: form.limit, after: form.cursor } : form;
}
