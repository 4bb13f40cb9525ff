import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectAnswer } from "../support/answers.ts";
import { makeClanCaller } from "../support/clan-caller.ts";
import { makeWorld, type World } from "../support/world.ts";

/** Nothing listens here. */
const NOBODY = { redisUrl: "redis://127.0.0.1:1" };

describe("while Redis is away", () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld();
  });
  afterAll(() => world.close());

  test("awards are applied, and replayed, as ever", async () => {
    const { port } = await world.startApi({ config: NOBODY });
    const clan = await makeClanCaller(world, port);
    const replies = [];
    for (const key of ["a", "b", "a"]) replies.push(await clan.award("m", { amount: 60 }, { "idempotency-key": key }));
    expect(replies.map((reply) => expectAnswer("apply-award", reply).xp)).toStrictEqual(["60", "120", "60"]);
  });

  test("an API and a worker end as fast as ever", async () => {
    const parts = [await world.startApi({ config: NOBODY }), await world.startWorker({ config: NOBODY })];
    const startedAtMs = performance.now();
    await Promise.all(parts.map((part) => part.close()));
    expect(performance.now() - startedAtMs).toBeLessThan(5_000);
  });
});
