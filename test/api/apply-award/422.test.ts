import { describe, expect, test } from "vitest";
import { expectResponse, expectProblem } from "../../support/responses.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { useApi } from "../../support/use-api.ts";

describe.concurrent("an idempotency key that is bound to another award of the member", async () => {
  const { world, port } = await useApi();

  const key = { "idempotency-key": "k" };
  const award = { amount: 5, reason: "r", source: { placeId: "p", matchId: "m", verified: true } };

  const { reason, source } = award;
  const others = [
    { ...award, amount: 6 },
    { ...award, amount: -5 },
    { ...award, reason: "R" },
    { ...award, reason: "" },
    { amount: 5, source },
    { amount: 5, reason },
    { ...award, source: {} },
    { ...award, source: { placeId: "p", matchId: "m" } },
    { ...award, source: { ...source, verified: false } },
    { ...award, source: { placeId: "m", matchId: "p", verified: true } },
  ];
  test("is rejected with 422 idempotency_key_reused for every other payload, and nothing is applied", async () => {
    const clan = await makeClanCaller(world, port);
    await clan.award("m", award, key);
    for (const other of others) expectProblem(await clan.award("m", other, key), 422, "idempotency_key_reused");
    expect(await clan.xpOf("m")).toBe("5");
    expect(await clan.entriesOf("m")).toHaveLength(1);
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
    const xp = await clan.xpOf("m");
    expect(["1", "2"]).toContain(xp);
    for (const { amount, reply } of replies) {
      if (String(amount) === xp) expect(expectResponse("apply-award", reply).xp).toBe(xp);
      else expectProblem(reply, 422, "idempotency_key_reused");
    }
  });
});
