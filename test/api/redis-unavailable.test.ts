import { afterAll, describe, expect, test } from "vitest";
import { expectResponse } from "../support/responses.ts";
import { makeClanCaller } from "../support/clan-caller.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { makeWorld } from "../support/world.ts";
import { until } from "../support/until.ts";

/** Nothing listens here. */
const NOBODY = { redisUrl: "redis://127.0.0.1:1" };

describe("while Redis is unavailable", async () => {
  const world = await makeWorld();
  afterAll(() => world.close());

  test("awards are applied and replayed as usual", async () => {
    const { port } = await world.startApi({ config: NOBODY });
    const clan = await makeClanCaller(world, port);
    const replies = [];
    for (const key of ["a", "b", "a"]) replies.push(await clan.award("m", { amount: 60 }, { "idempotency-key": key }));
    expect(replies.map((reply) => expectResponse("apply-award", reply).xp)).toStrictEqual(["60", "120", "60"]);
  });

  test("and connections stay open without responses, awards are applied, and accepted batches are not lost", async () => {
    const { hostname: host, port: redisPort } = new URL(world.redisUrl);
    const proxy = await startTcpProxy({ host, port: Number(redisPort) });
    const { port } = await world.startApi({ config: { redisUrl: `redis://127.0.0.1:${proxy.port}` } });
    const clan = await makeClanCaller(world, port);
    expectResponse("apply-award", await clan.award("m", { amount: 1 }));
    proxy.hold();
    expectResponse("apply-award", await clan.award("m", { amount: 2 }));
    const accepted = await clan.submit([{ platformId: "m", amount: 4 }], { prefer: "respond-async" });
    const { batchId } = expectResponse("submit-batch", accepted, 202);
    proxy.release();
    await world.startWorker();
    await until(async () => (await clan.get(`/batches/${batchId}`)).body.status === "done");
    expect(expectResponse("read-member", await clan.get("/members/m")).xp).toBe("7");
    await proxy.close();
  });

  test("an API and a worker shut down as fast as usual", async () => {
    const parts = [await world.startApi({ config: NOBODY }), await world.startWorker({ config: NOBODY })];
    const startedAtMs = performance.now();
    await Promise.all(parts.map((part) => part.close()));
    expect(performance.now() - startedAtMs).toBeLessThan(5_000);
  });
});
