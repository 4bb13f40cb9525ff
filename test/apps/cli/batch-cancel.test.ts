// batch cancel: its answers and errors. That it is true of the ledger is the subject of
// test/apps/worker/cancel.test.ts.
import { describe, expect, test } from "vitest";
import { cliOn } from "../../support/cli.ts";
import { useApi } from "../../support/use-api.ts";

const { world, clan: caller } = await useApi();
const cli = cliOn({ MONGO_URL: world.mongoUrl });

const accept = async (): Promise<string> =>
  (await caller.submit([{ platformId: "a", amount: 1 }, null], { prefer: "respond-async" })).body.batchId;

describe("batch cancel", () => {
  test("cancels a waiting batch and prints sentences for people, and returns the same when it is run again", async () => {
    const batchId = await accept();
    const first = await cli.run("batch", "cancel", batchId);
    expect(first).toMatchObject({ exitCode: 0, stderr: "" });
    expect(first.stdout).toMatch(/^cancelled +1 awards$/m);
    expect(await cli.run("batch", "cancel", batchId)).toStrictEqual(first);
    expect((await cli.run("batch", "show", batchId)).stdout).toContain(
      "cancelled: The batch was cancelled before this award was applied.",
    );
  });

  test("with --key cancels the batches of that API key, and none of other keys", async () => {
    const { keyId, secret } = await world.makeKey(caller.clanId);
    const of = async () =>
      (await caller.with(secret).post("/xp", { awards: [{ platformId: "a", amount: 1 }] }, { prefer: "respond-async" }))
        .body;
    const [mine, theirs] = [await accept(), [await of(), await of()]];
    const { exitCode, answer } = await cli.json("batch", "cancel", "--key", keyId);
    expect([exitCode, answer]).toEqual([
      0,
      { keyId, clanId: caller.clanId, batches: 2, unfinished: 0, applied: 0, cancelled: 2 },
    ]);
    expect((await cli.json("batch", "show", mine)).answer.status).toBe("queued");
    for (const { batchId } of theirs) expect((await cli.json("batch", "show", batchId)).answer.status).toBe("done");
    expect((await cli.json("batch", "cancel", "--key", keyId)).answer).toMatchObject({ batches: 0, cancelled: 0 });
  });

  test("exits with code 1 for a batch that is done", async () => {
    const batchId = await accept();
    await world.batches.finish(batchId, []);
    const { exitCode, answer } = await cli.json("batch", "cancel", batchId);
    expect([exitCode, answer.error.code]).toEqual([1, "batch_done"]);
  });
});
