// POST /v0/clans/{clanId}/names.
import type { NameStore } from "#usecases/names/ports.ts";
import type { Route } from "../endpoint.ts";

export function makeSetNamesRoute(names: Pick<NameStore, "set">): Route<"set-names"> {
  return async ({ principal: { clanId }, body, spendAwards }) => {
    await spendAwards(body.names.length);
    await names.set(clanId, body.names);
    return { status: 200, body: { stored: body.names.length } };
  };
}
