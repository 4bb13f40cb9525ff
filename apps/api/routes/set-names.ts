// POST /v0/clans/{clanId}/names.
import type { NameStore } from "#names/ports.ts";
import type { Route } from "../endpoint.ts";

/** Always in turn: for one name, MongoDB replaces up to 16 keys of an index. */
const MANY_ROWS = Infinity;

export function makeSetNamesRoute(names: Pick<NameStore, "set">): Route<"set-names"> {
  return async ({ principal: { clanId }, body, spendAwards, inTurn }) => {
    await spendAwards(body.names.length);
    return inTurn(MANY_ROWS, async () => {
      const sent = body.names.map(({ hidden: isHidden, ...named }) => ({ ...named, isHidden }));
      await names.set(clanId, sent);
      return { status: 200, body: { stored: body.names.length } };
    });
  };
}
