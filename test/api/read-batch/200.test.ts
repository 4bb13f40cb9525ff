import { describe, expect, test } from "vitest";
import { expectResponse, expectProblem } from "../../support/responses.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { until } from "../../support/until.ts";
import { useApi } from "../../support/use-api.ts";

describe("GET …/batches/{batchId}", async () => {
  const { world, port } = await useApi();

  test("returns each state, with results and finishedAt only when the batch is done", async () => {
    const clan = await makeClanCaller(world, port);
    const beforeMs = Date.now();
    const accepted = await clan.submit([{ platformId: "m", amount: 5 }, 7], { prefer: "respond-async" });
    const { batchId } = expectResponse("submit-batch", accepted, 202);
    const read = async () => expectResponse("read-batch", await clan.get(`/batches/${batchId}`));

    const queued = await read();
    const { createdAt } = queued;
    expect(queued).toStrictEqual({ batchId, status: "queued", applied: 0, results: [], createdAt, finishedAt: null });
    expect(new Date(createdAt).toISOString()).toBe(createdAt);
    expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(beforeMs);

    await world.batches.start(batchId, new Date());
    await until(async () => (await read()).status !== "queued");
    expect(await read()).toStrictEqual({ ...queued, status: "running" });

    const results = [
      { index: 0, platformId: "m", status: "applied", xp: "5", rank: "Guest" },
      { index: 1, platformId: null, status: "rejected", error: { code: "invalid_request", detail: "No." } },
    ];
    const outcomes = [
      { platformId: "m", xp: 5n, rank: "Guest" },
      { platformId: null, code: "invalid_request", detail: "No." } as const,
    ];
    await world.batches.finish(batchId, outcomes);
    const done = await read();
    expect(done).toStrictEqual({ ...queued, status: "done", applied: 1, results, finishedAt: expect.any(String) });
    expect(new Date(done.finishedAt).toISOString()).toBe(done.finishedAt);

    // A worker that comes late, or again.
    await world.batches.start(batchId, new Date());
    await world.batches.finish(batchId, []);
    expect(await read()).toStrictEqual(done);
  });

  test("returns the same 404 batch_not_found for an unknown batch and a batch of another clan", async () => {
    const [clan, other] = [await makeClanCaller(world, port), await makeClanCaller(world, port)];
    const accepted = await other.submit([{ platformId: "b", amount: 0 }], { prefer: "respond-async" });
    const { batchId } = expectResponse("submit-batch", accepted, 202);
    const foreign = expectProblem(await clan.get(`/batches/${batchId}`), 404, "batch_not_found");
    const unknown = expectProblem(await clan.get("/batches/bat_unknown"), 404, "batch_not_found");
    expect({ ...foreign, requestId: "" }).toStrictEqual({ ...unknown, requestId: "" });
  });
});
