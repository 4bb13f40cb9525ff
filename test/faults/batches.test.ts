// MongoDB becomes unavailable while a batch is recorded or its caller waits. A caller who receives "not accepted" sends
// the batch again, so it must be true.
import { describe, test } from "vitest";
import { SOCKET_SILENCE_MS } from "#mongo/bounds.ts";
import { expectResponse, expectProblem } from "../support/responses.ts";
import { untilJobs } from "../support/batch-jobs.ts";
import { makeClanCaller } from "../support/clan-caller.ts";
import type { TcpProxy } from "../support/tcp-proxy.ts";
import { makeProxiedWorld } from "../support/proxies.ts";
import { until } from "../support/until.ts";

/**
 * What a caller who wants to wait a second may have to wait at most: it, a last look at the record, and a slow machine.
 */
const ANSWERED_WITHIN_MS = 6_000;

describe.concurrent("a batch", () => {
  test.for<[string, (mongo: TcpProxy) => void]>([
    ["stops responding", (mongo) => mongo.hold()],
    [
      "becomes unreachable",
      (mongo) => {
        mongo.rejectConnections(true);
        mongo.reset();
      },
    ],
  ])(
    "is answered with 202 in time and applied once if MongoDB %s while the caller waits",
    async ([, leave], { expect, onTestFinished }) => {
      // Its own: a worker of another test would run its batch.
      const { world, proxies } = await makeProxiedWorld(onTestFinished);
      const { port } = await world.startApi({ config: { mongoUrl: proxies.config.mongoUrl } });
      const clan = await makeClanCaller(world, port);
      const records = world.database.db().collection("batches");

      const waiting = clan.submit([{ platformId: "m", amount: 5 }], { prefer: "wait=1" });
      // It has a job once it is accepted.
      await until(async () => (await records.countDocuments({ clanId: clan.clanId })) === 1);
      const { _id } = (await records.findOne({ clanId: clan.clanId })) ?? {};
      await untilJobs(world, [String(_id)], ([state]) => state === "prioritized");
      const startMs = performance.now();
      leave(proxies.mongo);
      const { batchId } = expectResponse("submit-batch", await waiting, 202);
      expect(batchId).toBe(String(_id));
      expect(performance.now() - startMs, "in time").toBeLessThan(ANSWERED_WITHIN_MS);

      proxies.mongo.release();
      proxies.mongo.rejectConnections(false);
      await world.startWorker();
      await until(async () => (await clan.get(`/batches/${batchId}`)).body.status === "done");
      expect((await clan.get("/members/m")).body.xp).toBe("5");
    },
  );

  test("has an unknown outcome if MongoDB stops responding after it was recorded, and its retry finds it", async ({
    expect,
    onTestFinished,
  }) => {
    const { world, proxies } = await makeProxiedWorld(onTestFinished);
    const { port } = await world.startApi({ config: { mongoUrl: proxies.config.mongoUrl } });
    const clan = await makeClanCaller(world, port);
    const submit = () =>
      clan.submit([{ platformId: "m", amount: 5 }], { prefer: "respond-async", "idempotency-key": "k" });

    void proxies.mongo.cutAfter("there", { text: "idempotencyKey" }, { silently: true });
    const startMs = performance.now();
    expectProblem(await submit(), 503, "outcome_unknown");
    // By its own deadline, not because the silent connection was closed.
    expect(performance.now() - startMs, "in time").toBeLessThan(SOCKET_SILENCE_MS);
    expect((await submit()).headers.get("idempotency-replayed")).toBe("true");
  });
});
