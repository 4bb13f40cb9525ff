import { describe, expect, test } from "vitest";
import { expectResponse, expectProblem } from "../../support/responses.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { useApi } from "../../support/use-api.ts";

describe.concurrent("an idempotency key that is bound to another award of the member", async () => {
  const { world, port } = await useApi();

  const key = { "idempotency-key": "k" };
  const award = { amount: 5, reason: "r", source: { placeId: "p", matchId: "m", verified: true } };

  const others: [string, object][] = [
    ["another amount", { ...award, amount: 6 }],
    ["the opposite amount", { ...award, amount: -5 }],
    ["another reason", { ...award, reason: "R" }],
    ["no reason", { amount: 5, source: award.source }],
    ["an empty reason", { ...award, reason: "" }],
    ["no source", { amount: 5, reason: "r" }],
    ["an empty source", { ...award, source: {} }],
    ["half the source", { ...award, source: { placeId: "p", matchId: "m" } }],
    ["verified false", { ...award, source: { ...award.source, verified: false } }],
    ["placeId and matchId exchanged", { ...award, source: { placeId: "m", matchId: "p", verified: true } }],
  ];
  test.for(others)("is rejected with 422 idempotency_key_reused for %s, and nothing is applied", async ([, other]) => {
    const clan = await makeClanCaller(world, port);
    await clan.award("m", award, key);
    expectProblem(await clan.award("m", other, key), 422, "idempotency_key_reused");
    expect(expectResponse("read-member", await clan.get("/members/m")).xp).toBe("5");
    expect(expectResponse("read-ledger", await clan.get("/members/m/ledger")).entries).toHaveLength(1);
  });

  test("is bound to one of two concurrent payloads on two processes, the other one gets 422, and retries agree", async () => {
    const clan = await makeClanCaller(world, port);
    const second = await world.startApi();
    const sides = [clan, clan.on(second.port)];
    const amounts = [1, 2];
    const replies = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const amount = amounts[index % 2] ?? 0;
        return { amount, reply: await (sides[index % 4 < 2 ? 0 : 1] ?? clan).award("m", { amount }, key) };
      }),
    );
    const { xp } = expectResponse("read-member", await clan.get("/members/m"));
    expect(["1", "2"]).toContain(xp);
    for (const { amount, reply } of replies) {
      if (String(amount) === xp) expect(expectResponse("apply-award", reply).xp).toBe(xp);
      else expectProblem(reply, 422, "idempotency_key_reused");
    }
  });
});
