// Large work waits for its turn: a key that is revoked meanwhile applies nothing, and reads nothing.
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import { AppError } from "#kernel/app-error.ts";
import { KEY_LIMITS_DEFAULT } from "#domain/key-limits.ts";
import { makeHandler, type Incoming } from "../../apps/api/endpoint.ts";
import type { TakeTurn } from "#async/take-turn.ts";
import { makeListMembersRoute } from "../../apps/api/routes/list-members.ts";
import { makeListPeriodsRoute } from "../../apps/api/routes/list-periods.ts";
import { makeListStandingsRoute } from "../../apps/api/routes/list-standings.ts";
import { makeReadBatchRoute } from "../../apps/api/routes/read-batch.ts";
import { makeReadLedgerRoute } from "../../apps/api/routes/read-ledger.ts";

/** A request of a key that is revoked when its turn comes. `turns`: how often it came. */
function requestOf(scope: "award" | "read", query = ""): { incoming: Incoming; turns: { taken: number } } {
  const principal = { keyId: "k", clanId: "c", scopes: [scope], limits: KEY_LIMITS_DEFAULT };
  const turns = { taken: 0 };
  const takeTurn: TakeTurn = async (_keyId, work) => {
    turns.taken += 1;
    return work();
  };
  const incoming: Incoming = {
    params: { clanId: "c", boardId: "b", periodId: "current", platformId: "m", batchId: "bat_1" },
    query: new URLSearchParams(query),
    principal,
    async principalNow() {
      if (turns.taken > 0) throw new AppError("key_revoked", "");
      return principal;
    },
    rates: { spend: async () => {}, follow: () => {}, headers: () => [] },
    holdBytes: () => null,
    holdAwards: () => {},
    turns: { bodies: takeTurn, lists: takeTurn },
  };
  return { incoming, turns };
}

test("an API key that is revoked while its large body waits to be parsed is rejected before the route is called", async () => {
  const { incoming } = requestOf("award");
  const body = Readable.from([Buffer.from(`{"awards":[]}${" ".repeat(20_000)}`)]);
  const type = "application/json";
  const headers = { headers: { "content-type": type }, rawHeaders: ["Content-Type", type] };
  const req = Object.assign(body, headers) as unknown as IncomingMessage;
  let calls = 0;
  const handler = makeHandler(endpoints["submit-batch"], async () => ({ status: 200, body: { calls: (calls += 1) } }));
  await expect(handler.handle(incoming, req, {} as ServerResponse)).rejects.toMatchObject({ code: "key_revoked" });
  expect(calls).toBe(0);
});

// Every route is called without what it reads from: it must not get so far.
const nothing = {} as never;
test.each([
  ["list-members", "limit=21", makeListMembersRoute(nothing)],
  ["list-members", "around=m&limit=200", makeListMembersRoute(nothing)],
  ["list-members", `platformIds=${Array.from({ length: 21 }, (_, n) => n).join(",")}`, makeListMembersRoute(nothing)],
  ["list-standings", "limit=21", makeListStandingsRoute(nothing)],
  ["list-periods", "limit=21", makeListPeriodsRoute(nothing)],
  ["read-ledger", "limit=21", makeReadLedgerRoute(nothing)],
  ["read-batch", "", makeReadBatchRoute(nothing)],
] as const)(
  "%s?%s waits for its turn, and a key that is revoked meanwhile reads nothing",
  async (name, query, route) => {
    const { incoming, turns } = requestOf("read", query);
    const req = { headers: {} } as IncomingMessage;
    const handler = makeHandler(endpoints[name], route as never);
    await expect(handler.handle(incoming, req, {} as ServerResponse)).rejects.toMatchObject({ code: "key_revoked" });
    expect(turns.taken).toBe(1);
  },
);
