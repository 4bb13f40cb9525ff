// GET /v0/clans/{clanId}/gains: who gained how much in a span.
import { timestampOf } from "#domain/timestamp.ts";
import { formOf, rowsOf } from "#contract/list-form.ts";
import { gainsCursor } from "#contract/page.ts";
import { gainsFacts, gainsRow } from "#contract/render-gains.ts";
import type { GainsPart, ReadGains } from "#gains/read-gains.ts";
import type { NameStore } from "#names/ports.ts";
import type { Call, Route } from "../endpoint.ts";

/** `Retry-After` in seconds while a span is counted. */
const RETRY_AFTER_S = "1";

export function makeListGainsRoute({
  gains,
  names,
}: {
  gains: ReadGains;
  names: Pick<NameStore, "read">;
}): Route<"list-gains"> {
  return async ({ principal: { clanId }, query, principalNow, inTurn }) => {
    const { order = "most", include, cursor = null, platformIds } = query;
    const span = { from: timestampOf(query.from), to: timestampOf(query.to) };
    const count = await gains.count(clanId, span, cursor);
    if (!count) return { status: 202, headers: ["retry-after", RETRY_AFTER_S], body: { status: "counting" } };
    // The call may have waited, and the key may have been revoked meanwhile.
    await principalNow();
    return inTurn(rowsOf(formOf(query)), async () => {
      const { items, next } = await gains.list(count, order, partOf(query));
      const ids = items.map(({ platformId }) => platformId);
      const [listed, known] = [new Set(ids), include?.has("name") ? await names.read(clanId, ids) : null];
      return {
        status: 200,
        body: {
          ...gainsFacts(count),
          members: items.map((row) => gainsRow(row, known)),
          ...(platformIds ? { missing: platformIds.filter((id) => !listed.has(id)) } : {}),
          nextCursor: next && gainsCursor(next),
        },
      };
    });
  };
}

function partOf(query: Call<"list-gains">["query"]): GainsPart {
  const form = formOf(query);
  return form.kind === "page" ? { kind: "page", limit: form.limit, after: form.cursor } : form;
}
