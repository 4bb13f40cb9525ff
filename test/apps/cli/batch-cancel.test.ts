// batch cancel: its answers and errors. That it is true of the ledger is the subject of
// test/apps/worker/cancel.test.ts.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cliOn, type CommandLine } from "../../support/cli.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { makeWorld, type World } from "../../support/world.ts";

let world: World;
let cli: CommandLine;
let caller: ClanCaller;
beforeAll(async () => {
  world = await makeWorld();
  cli = cliOn({ MONGO_URL: world.mongoUrl });
  caller = await makeClanCaller(world, (await world.startApi()).port);
});
afterAll(() => world.close());

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

  test("exits with code 1 for a batch that is done, an unknown batch and an unknown API key", async () => {
    const batchId = await accept();
    await world.batches.finish(batchId, []);
    const rejected = [
      await cli.json("batch", "cancel", batchId),
      await cli.json("batch", "cancel", "bat_nobody"),
      await cli.json("batch", "cancel", "--key", "nobody"),
    ];
    expect(rejected.map(({ exitCode, answer }) => [exitCode, answer.error.code])).toEqual([
      [1, "batch_done"],
      [1, "batch_not_found"],
      [1, "key_not_found"],
    ]);
  });

  test("exits with code 2 if neither or both arguments are given, and with code 3 without MongoDB", async () => {
    expect((await cli.json("batch", "cancel")).exitCode).toBe(2);
    expect((await cli.json("batch", "cancel", "bat_1", "--key", "k")).exitCode).toBe(2);
    const nowhere = cliOn({ MONGO_URL: "mongodb://127.0.0.1:1/x" });
    expect((await nowhere.json("batch", "cancel", "bat_1")).exitCode).toBe(3);
  });
});
