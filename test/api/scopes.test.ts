// Which scope of a key opens which endpoint.
import { describe, expect, test } from "vitest";
import type { EndpointName } from "#contract/endpoints.ts";
import { scopes, type Scope } from "#domain/scope.ts";
import { expectResponse, expectProblem } from "../support/responses.ts";
import { makeClanCaller } from "../support/clan-caller.ts";
import { useApi } from "../support/use-api.ts";

const { world, port } = await useApi();

describe("the scopes of an API key", () => {
  const by = { matchId: "m" };
  const board = "/boards/none/periods";
  const allowed: Record<EndpointName, [method: "GET" | "POST", path: string, body: unknown, opening: Scope[]]> = {
    "apply-award": ["POST", "/members/m/xp", { amount: 0 }, ["award"]],
    "apply-awards": ["POST", "/awards", { awards: [{ platformId: "m", amount: 0 }] }, ["award"]],
    "submit-batch": ["POST", "/xp", { awards: [] }, ["award"]],
    "set-names": ["POST", "/names", { names: [{ platformId: "m", name: "n" }] }, ["award"]],
    "submit-reversal": ["POST", "/reversals", { by, dryRun: true }, ["reverse"]],
    "read-reversal": ["GET", "/reversals/r", undefined, ["read", "reverse"]],
    "read-batch": ["GET", "/batches/b", undefined, ["read", "award"]],
    "read-clan": ["GET", "", undefined, ["read"]],
    "list-members": ["GET", "/members", undefined, ["read"]],
    "read-member": ["GET", "/members/m", undefined, ["read"]],
    "read-member-gains": [
      "GET",
      "/members/m/gains?every=day&from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00Z",
      undefined,
      ["read"],
    ],
    "list-gains": ["GET", "/gains?from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00Z", undefined, ["read"]],
    "list-events": ["GET", "/events", undefined, ["read"]],
    "read-ledger": ["GET", "/members/m/ledger", undefined, ["read"]],
    "list-boards": ["GET", "/boards", undefined, ["read"]],
    "list-periods": ["GET", board, undefined, ["read"]],
    "read-period": ["GET", `${board}/current`, undefined, ["read"]],
    "list-standings": ["GET", `${board}/current/members`, undefined, ["read"]],
  };
  test("permit their endpoints and no others, which return 403 scope_missing", async () => {
    const clan = await makeClanCaller(world, port);
    for (const scope of scopes) {
      const caller = clan.with((await world.makeKey(clan.clanId, [scope])).secret);
      for (const [method, path, body, opening] of Object.values(allowed)) {
        const reply = await caller.send(method, path, { body, headers: { prefer: "respond-async" } });
        if (opening.includes(scope)) expect([200, 202, 404]).toContain(reply.status);
        else expectProblem(reply, 403, "scope_missing");
      }
    }
  });

  test("are award, deduct and read by default", async () => {
    const clan = await makeClanCaller(world, port);
    expectResponse("apply-award", await clan.award("m", { amount: 5 }));
    expectResponse("apply-award", await clan.award("m", { amount: -5 }));
    expectResponse("read-member", await clan.get("/members/m"));
  });

  test("must include deduct for a negative amount, otherwise 403 scope_missing is returned and nothing changes", async () => {
    const clan = await makeClanCaller(world, port, {}, ["award", "read"]);
    expectResponse("apply-award", await clan.award("m", { amount: 5 }));
    expectProblem(await clan.award("m", { amount: -1 }), 403, "scope_missing");
    expectResponse("apply-award", await clan.award("m", { amount: 0 }));
    expectResponse("apply-award", await clan.post("/members/m/xp", '{"amount":-0}'));
    expect(expectResponse("read-member", await clan.get("/members/m")).xp).toBe("5");
  });
});
