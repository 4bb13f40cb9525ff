// Erasures under fire: whichever process is killed, at whichever step, a worker finishes the erasure, and nothing of
// the person is left.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { root } from "../../scripts/paths.js";
import { SCOPES_DEFAULT } from "#domain/scope.ts";
import { makeCounters } from "#telemetry/metrics/counters.ts";
import { systemClock } from "#process/clock.ts";
import { makeRunBatch } from "#batches/run-batch.ts";
import { openLedger } from "../../apps/cli/open/ledger.ts";
import { makeStores } from "../../apps/cli/open/stores.ts";
import { makeClanCaller } from "../support/clan-caller.ts";
import { until } from "../support/until.ts";
import { silentLog } from "../support/silent-log.ts";
import { patientCliOn } from "../support/cli.ts";
import { whereIs } from "../support/where-is.ts";
import { useWorld } from "../support/use-api.ts";
import { openProxies, type Proxies } from "../support/proxies.ts";
import { killAt } from "./kill-at.ts";

vi.setConfig({ testTimeout: 240_000 });

/** What the process sends at each step: behind it the connection is silent, and the process is killed. */
const steps = {
  "the erasure is recorded": "commitTransaction",
  "the chain is fenced, and nobody knows whether": "erasure/era_",
  "batches are redacted": "$mergeObjects",
  "entries are deleted": "delete\u0000\u0007\u0000\u0000\u0000ledger",
};
const AT_REDIS = ":lock:";
/** What MongoDB executes only when another process has finished the erasure. */
const lateWrites = [steps["batches are redacted"], "delete\u0000\u000a\u0000\u0000\u0000reversals"];

const world = await useWorld();
const cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
const { port } = await world.startApi();
const clan = await makeClanCaller(world, port, {}, [...SCOPES_DEFAULT, "reverse"]);

const erasures = () =>
  world.database
    .db()
    .collection<{ _id: string; aliveAt: Date; finishedAt: Date | null; replacedBy?: string }>("erasures");
const batches = () => world.database.db().collection<{ _id: string; erased?: boolean }>("batches");
const unfinished = () => erasures().countDocuments({ finishedAt: null });
const recorded = () => erasures().countDocuments({ replacedBy: { $exists: false } });
/** To the workers, the process that works on them appears to be dead. */
const silence = () => erasures().updateMany({ finishedAt: null }, { $set: { aliveAt: new Date(0) } });
const reasonOf = (platformId: string): string => `cup-of-${[...platformId].toReversed().join("")}`;

async function history(platformId: string): Promise<void> {
  for (const amount of [100, 200]) {
    expect((await clan.award(platformId, { amount, reason: reasonOf(platformId) })).status).toBe(200);
  }
  expect((await clan.submit([{ platformId, amount: 50 }], { prefer: "respond-async" })).status).toBe(202);
}

async function requestReversal(platformId: string): Promise<void> {
  const by = { platformId, from: "2020-01-01T00:00:00Z" };
  expect((await clan.post("/reversals", { by })).status).toBe(202);
}

/** Erases by the real command, over these connections. */
function startErasing(platformId: string, { config }: Proxies) {
  return spawn(
    process.execPath,
    [join(root, "apps/cli/main.ts"), "member", "erase", clan.clanId, platformId, "--yes"],
    {
      env: { ...process.env, MONGO_URL: config.mongoUrl, REDIS_URL: config.redisUrl },
      stdio: "ignore",
    },
  );
}

async function killAfter(platformId: string, text: string): Promise<void> {
  const proxies = await openProxies(world);
  const server = text === AT_REDIS ? proxies.redis : proxies.mongo;
  const cut = server.cutAfter("there", { text }, { silently: true });
  await killAt(cut, () => startErasing(platformId, proxies));
  await proxies.close();
}

/** What is stored of awards, batches and reversals. */
function accepted(): Promise<unknown[]> {
  const stored = (name: string) => world.database.db().collection(name).find().sort({ _id: 1 }).toArray();
  return Promise.all(["ledger", "batches", "reversals"].map(stored));
}

/** Kills the command with what it sends at this step still on its way. Resolves with what delivers that. */
async function killBefore(platformId: string, text: string): Promise<() => Promise<void>> {
  const proxies = await openProxies(world);
  const deliver = await killAt(proxies.mongo.holdBack(text), () => startErasing(platformId, proxies));
  return async () => {
    await deliver();
    await proxies.close();
  };
}

async function expectErased(platformId: string): Promise<void> {
  expect(await whereIs(world, platformId)).toStrictEqual([]);
  expect(await whereIs(world, reasonOf(platformId))).toStrictEqual([]);
  expect((await clan.award(platformId, { amount: 7 })).body).toStrictEqual({ platformId, xp: "7", rank: "Guest" });
}

describe("an erasure", () => {
  test("whose command is killed at any step is finished by a worker, and its late writes delete no newer data", async () => {
    const killed = Object.values(steps).map((text, index) => ({
      text,
      platformId: `killed-at-step-${index}`,
    }));
    const late = lateWrites.map((text, index) => ({ text, platformId: `late-at-step-${index}` }));
    for (const { platformId } of [...killed, ...late]) await history(platformId);
    for (const { platformId } of late) await requestReversal(platformId);
    // One after the other: on a machine that is busy otherwise, commands that start together give up, each time.
    const delivered = [];
    for (const { platformId, text } of late) delivered.push(await killBefore(platformId, text));
    for (const { platformId, text } of killed) await killAfter(platformId, text);
    // What was sent last had arrived, and MongoDB executes it: each has a record.
    await until(async () => (await recorded()) === killed.length + late.length);

    // Fenced, and nothing of it is deleted yet.
    const fenced = late[0]?.platformId ?? "";
    expect((await clan.get(`/members/${fenced}`)).status).toBe(404);
    const listed = (await clan.get("/members?sort=platformId")).body.members;
    expect(listed.map((member: any) => member.platformId)).not.toContain(fenced);

    await silence();
    const finisher = await world.startWorker();
    await until(async () => (await unfinished()) === 0);
    // It would resume what the next test leaves.
    await finisher.close();
    for (const { platformId } of [...killed, ...late]) await expectErased(platformId);

    for (const { platformId } of late) {
      await history(platformId);
      await requestReversal(platformId);
    }
    const before = await accepted();
    for (const deliver of delivered) await deliver();
    expect(await accepted()).toStrictEqual(before);
    for (const { platformId } of late) expect((await clan.get(`/members/${platformId}`)).body.xp).toBe("307");
    expect((await cli.json("reconcile")).answer).toMatchObject({ differences: [] });
  });
});

test.concurrent("an erasure of a member without data also erases the awards of a run that had read its batch before", async () => {
  const body = [
    { platformId: "only-in-a-batch", amount: 50 },
    { platformId: "beside-it", amount: 1 },
  ];
  const { batchId } = (await clan.submit(body, { prefer: "respond-async" })).body;
  const wasRead = await world.batches.start(batchId, new Date());
  const erasing = cli.json("member", "erase", clan.clanId, "only-in-a-batch", "--yes");
  await until(async () => (await batches().countDocuments({ _id: batchId, erased: true })) === 1);

  const ledger = openLedger({ ...makeStores(world.database), clock: systemClock });
  const run = makeRunBatch({
    batches: { start: async () => wasRead, finish: world.batches.finish },
    committer: ledger.committer,
    clock: systemClock,
    meter: makeCounters(),
    log: silentLog,
  });
  expect(await run(batchId)).toStrictEqual({ applied: 2, rejected: 0 });
  await ledger.close();

  expect((await erasing).answer).toMatchObject({ status: "done", erased: { entries: 1 } });
  await expectErased("only-in-a-batch");
  expect((await clan.get("/members/beside-it")).body.xp).toBe("1");
  expect((await cli.json("reconcile")).answer).toMatchObject({ differences: [] });
});

test.concurrent("an erasure whose command is killed after deleting, and run again, also erases awards from in between", async () => {
  await history("run-again");
  await killAfter("run-again", AT_REDIS);
  const between = { amount: 7, reason: reasonOf("run-again") };
  expect((await clan.award("run-again", between)).body.xp).toBe("7");
  const { exitCode, answer } = await cli.json("member", "erase", clan.clanId, "run-again", "--yes");
  expect([exitCode, answer.erased]).toStrictEqual([0, { entries: 3, batches: 1, reversals: 0 }]);
  const records = await erasures().find({ replacedBy: answer.erasureId }).toArray();
  expect(records).toMatchObject([{ finishedAt: expect.any(Date), counts: { entries: 2, batches: 1 } }]);
  expect(await erasures().findOne({ _id: answer.erasureId })).toMatchObject({ counts: answer.erased });
  await expectErased("run-again");
});
