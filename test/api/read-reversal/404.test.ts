import { afterAll, beforeAll, expect, test } from "vitest";
import { expectResponse, expectProblem } from "../../support/responses.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { makeWorld, type World } from "../../support/world.ts";

let world: World;
let clan: ClanCaller;
let other: ClanCaller;
beforeAll(async () => {
  world = await makeWorld();
  const { port } = await world.startApi();
  [clan, other] = await Promise.all([
    makeClanCaller(world, port, {}, ["reverse"]),
    makeClanCaller(world, port, {}, ["reverse"]),
  ]);
});
afterAll(() => world.close());

test("GET …/reversals/{reversalId} returns the same 404 for unknown reversals and those of other clans", async () => {
  const by = { matchId: "m", from: "2026-11-22T12:00:00+01:00" };
  const { reversalId } = expectResponse("submit-reversal", await other.post("/reversals", { by, reason: "why" }), 202);
  const [unknown, foreign] = [await clan.get("/reversals/rev_unknown"), await clan.get(`/reversals/${reversalId}`)];
  expect(expectProblem(foreign, 404, "reversal_not_found").detail).toBe(
    expectProblem(unknown, 404, "reversal_not_found").detail,
  );
  expect(expectResponse("read-reversal", await other.get(`/reversals/${reversalId}`))).toStrictEqual({
    reversalId,
    status: "queued",
    by,
    reason: "why",
    selected: 0,
    reversed: 0,
    skipped: 0,
    createdAt: expect.any(String),
    finishedAt: null,
  });
});

test("GET …/reversals/{reversalId} is permitted with the scope read, but not with the scope award alone", async () => {
  const [reader, awarder] = [
    await world.makeKey(clan.clanId, ["read"]),
    await world.makeKey(clan.clanId, ["award", "deduct"]),
  ];
  expectProblem(await clan.with(reader.secret).get("/reversals/rev_unknown"), 404, "reversal_not_found");
  expectProblem(await clan.with(awarder.secret).get("/reversals/rev_unknown"), 403, "scope_missing");
});
