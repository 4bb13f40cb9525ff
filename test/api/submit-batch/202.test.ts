import { describe, expect, test } from "vitest";
import { expectResponse } from "../../support/responses.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import type { Reply } from "../../support/http.ts";
import { until } from "../../support/until.ts";
import { useApi } from "../../support/use-api.ts";

const ASYNC = { prefer: "respond-async" };
const awards = [{ platformId: "m", amount: 5 }, null, { platformId: "m", amount: 6 }];

/** The batch of a 202, after its whole answer was looked at. */
function expectAccepted(reply: Reply, clan: ClanCaller): string {
  const { batchId, status } = expectResponse("submit-batch", reply, 202);
  expect(reply.body).toStrictEqual({ batchId, status, applied: 0, results: [] });
  expect(reply.headers.get("location")).toBe(`/v0/clans/${clan.clanId}/batches/${batchId}`);
  expect(reply.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  return batchId;
}

const readBatch = async (clan: ClanCaller, batchId: string) =>
  expectResponse("read-batch", await clan.get(`/batches/${batchId}`));
const xpOf = async (clan: ClanCaller): Promise<string | undefined> => (await clan.get("/members/m")).body.xp;

/** Done, and applied once. */
async function expectDone(clan: ClanCaller, batchId: string): Promise<void> {
  await until(async () => (await readBatch(clan, batchId)).status === "done");
  const batch = await readBatch(clan, batchId);
  const error = { code: "invalid_request", detail: expect.any(String) };
  const results = [
    { index: 0, platformId: "m", status: "applied", xp: "5", rank: "Guest" },
    { index: 1, platformId: null, status: "rejected", error },
    { index: 2, platformId: "m", status: "applied", xp: "11", rank: "Guest" },
  ];
  const times = { createdAt: expect.any(String), finishedAt: expect.any(String) };
  expect(batch).toStrictEqual({ batchId, status: "done", applied: 2, results, ...times });
  expect(Date.parse(batch.finishedAt)).toBeGreaterThanOrEqual(Date.parse(batch.createdAt));
  expect(await xpOf(clan)).toBe("11");
}

describe("while no worker runs, a batch", async () => {
  const { world, port } = await useApi();

  test("is accepted, waits, and is applied once when a worker starts", async () => {
    const clan = await makeClanCaller(world, port);
    const batchId = expectAccepted(await clan.submit(awards, ASYNC), clan);
    const waiting = { batchId, status: "queued", applied: 0, results: [], finishedAt: null };
    expect(await readBatch(clan, batchId)).toMatchObject(waiting);
    expect(await xpOf(clan)).toBeUndefined();

    const worker = await world.startWorker();
    await expectDone(clan, batchId);
    await worker.close();
  });

  test("is returned to a retry with 202, its current state and Idempotency-Replayed", async () => {
    const clan = await makeClanCaller(world, port);
    const headers = { ...ASYNC, "idempotency-key": "k" };
    const first = await clan.submit(awards, headers);
    const again = await clan.submit(awards, headers);
    expect(expectAccepted(again, clan)).toBe(expectAccepted(first, clan));
    expect([first, again].map((reply) => reply.headers.get("idempotency-replayed"))).toStrictEqual([null, "true"]);
  });

  test("is reported with its current state to a waiting caller when the API shuts down", async () => {
    const ending = await world.startApi();
    const clan = (await makeClanCaller(world, port)).on(ending.port);
    const waiting = clan.submit(awards, { prefer: "wait=30" });
    await until(
      async () => (await world.database.db().collection("batches").countDocuments({ clanId: clan.clanId })) === 1,
    );
    await ending.close();
    expectAccepted(await waiting, clan);
  });

  test("that is accepted without Redis waits in MongoDB, and is applied once when a worker finds it", async () => {
    const { port: withoutRedis } = await world.startApi({ config: { redisUrl: "redis://127.0.0.1:1" } });
    const clan = await makeClanCaller(world, withoutRedis);
    const headers = { "idempotency-key": "k" };
    const batchId = expectAccepted(await clan.submit(awards, { ...headers, ...ASYNC }), clan);
    // As if it had waited long enough for the recovery scan already.
    await world.database
      .db()
      .collection("batches")
      .updateMany({ clanId: clan.clanId }, { $set: { createdAt: new Date(0) } });

    const worker = await world.startWorker();
    // This API receives no event of the end: it reads it from the record.
    const answer = expectResponse("submit-batch", await clan.submit(awards, { ...headers, prefer: "wait=25" }));
    expect(answer.applied).toBe(2);
    expect(await readBatch(clan, batchId)).toMatchObject({ ...answer, status: "done" });
    expect(await xpOf(clan)).toBe("11");
    await worker.close();
  });
});
