// Deletions of clans under fire: whichever process is killed, at whichever step, while awards still arrive, a worker
// finishes the deletion, and nothing of the clan is left or comes back.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { makeClanDeletionStore } from "#erasure/store/clan-deletion-store.ts";
import { DELETION_LATE_MS, ERASURE_SILENCE_MS } from "#erasure/bounds.ts";
import { root } from "../../scripts/paths.js";
import { patientCliOn } from "../support/cli.ts";
import { makeClanCaller, type ClanCaller } from "../support/clan-caller.ts";
import { openProxies } from "../support/proxies.ts";
import { until } from "../support/until.ts";
import { whereIs } from "../support/where-is.ts";
import { useWorld } from "../support/use-api.ts";
import { killAt } from "./kill-at.ts";

vi.setConfig({ testTimeout: 240_000 });

/** What the process sends at each step: behind it the connection is silent, and the process is killed. */
const steps = {
  "the clan is gone, and nobody knows whether": "commitTransaction",
  "entries are deleted": "delete\u0000\u0007\u0000\u0000\u0000ledger",
  "members are deleted": "delete\u0000\u0008\u0000\u0000\u0000members",
  "the record says that it is finished": "finishedAt\u0000\u0006\u0000\u0000\u0000$$NOW",
};

const world = await useWorld();
const cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
const { port } = await world.startApi();

const deletions = () => world.database.db().collection<any>("deletions");
const unfinished = () => deletions().countDocuments({ finishedAt: null });
/** To the workers, the process that works on them appears to be dead. */
const silence = () => deletions().updateMany({}, { $set: { aliveAt: new Date(0) } });
const memberOf = ({ clanId }: ClanCaller): string => `of-${clanId}`;

async function clanWithHistory(): Promise<ClanCaller> {
  const clan = await makeClanCaller(world, port);
  const platformId = memberOf(clan);
  for (const amount of [100, 200]) expect((await clan.award(platformId, { amount })).status).toBe(200);
  expect((await clan.submit([{ platformId, amount: 50 }], { prefer: "respond-async" })).status).toBe(202);
  expect((await clan.post("/names", { names: [{ platformId, name: `Name ${platformId}` }] })).status).toBe(200);
  return clan;
}

/** Sends awards and batches until the key is unknown, and says what was answered. */
async function keepCalling(clan: ClanCaller): Promise<Set<string>> {
  const answers = new Set<string>();
  for (let sent = 0; !answers.has("key_invalid"); sent += 1) {
    const platformId = sent % 3 === 0 ? `late-${sent}-${memberOf(clan)}` : memberOf(clan);
    const { status, body } =
      sent % 2 === 0
        ? await clan.award(platformId, { amount: 1 })
        : await clan.submit([{ platformId, amount: 1 }], { prefer: "respond-async" });
    answers.add(status < 300 ? "accepted" : body.code);
  }
  return answers;
}

/** Deletes by the real command, which is killed once it has sent this. */
async function deleteUntil(clan: ClanCaller, text: string): Promise<void> {
  const proxies = await openProxies(world);
  const cut = proxies.mongo.cutAfter("there", { text }, { silently: true });
  const script = join(root, "apps/cli/main.ts");
  await killAt(cut, () =>
    spawn(process.execPath, [script, "clan", "delete", clan.clanId, "--yes"], {
      env: { ...process.env, MONGO_URL: proxies.config.mongoUrl, REDIS_URL: proxies.config.redisUrl },
      stdio: "ignore",
    }),
  );
  await proxies.close();
}

async function expectDeleted(clan: ClanCaller): Promise<void> {
  expect(await whereIs(world, memberOf(clan))).toStrictEqual([]);
  const where = (await whereIs(world, clan.clanId)).map((found) => found.split(":")[0]);
  expect(new Set(where)).toStrictEqual(new Set(["audit", "deletions", "Redis hash"]));
  const { records } = (await cli.json("audit", "list", "--clan", clan.clanId)).answer;
  expect(records.filter(({ action }: any) => action === "clan.delete")).toHaveLength(1);
}

test("a deletion that is killed at any step while awards arrive is finished by a worker", async () => {
  const killed = await Promise.all(Object.values(steps).map(async (text) => ({ text, clan: await clanWithHistory() })));
  const calling = killed.map(({ clan }) => keepCalling(clan));
  await Promise.all(killed.map(({ clan, text }) => deleteUntil(clan, text)));
  // What was sent last had arrived, and MongoDB executes it: each has a record, and one of them is finished.
  await until(async () => (await deletions().countDocuments()) === killed.length);
  await until(async () => (await unfinished()) === killed.length - 1);
  expect((await cli.json("reconcile")).answer).toMatchObject({ differences: [] });

  await silence();
  const worker = await world.startWorker();
  await until(async () => (await unfinished()) === 0);
  for (const answers of await Promise.all(calling)) {
    expect(answers).toContain("accepted");
    const documented = ["accepted", "key_revoked", "key_invalid", "member_not_found", "busy", "unavailable"];
    expect([...answers].filter((answer) => !documented.includes(answer))).toStrictEqual([]);
  }
  // Batches that were accepted in the last moment have jobs.
  const queued = async () => (await cli.json("queue", "status")).answer;
  await until(async () => JSON.stringify(await queued()).includes('"waiting":0'));
  for (const { clan } of killed) await expectDeleted(clan);
  expect((await cli.json("reconcile")).answer).toMatchObject({ differences: [] });
  await worker.close();
});

test("the command finishes what it has begun before", async () => {
  const clan = await clanWithHistory();
  await deleteUntil(clan, steps["entries are deleted"]);
  expect((await cli.json("clan", "delete", clan.clanId, "--yes")).answer).toMatchObject({
    status: "done",
    members: 1,
  });
  await expectDeleted(clan);
});

test("what MongoDB executes after the end is deleted a quarter of an hour later, and the record stays", async () => {
  const clan = await clanWithHistory();
  await cli.json("clan", "delete", clan.clanId, "--yes");
  const { clanId } = clan;
  const late = { _id: { clanId, platformId: memberOf(clan), seq: 9 }, key: "late" };
  await world.database.db().collection<any>("ledger").insertOne(late);
  await silence();
  const due = { silentMs: ERASURE_SILENCE_MS, lateMs: DELETION_LATE_MS };
  expect(await makeClanDeletionStore(world.database).claimDue(due)).toBeNull();
  const worker = await world.startWorker();
  const minutesAgo = new Date(Date.now() - 16 * 60_000);
  await deletions().updateOne({ _id: clanId }, { $set: { finishedAt: minutesAgo, aliveAt: new Date(0) } });
  await until(async () => (await deletions().countDocuments({ _id: clanId, searchedAt: { $ne: null } })) === 1);
  await expectDeleted(clan);
  const [doc] = await deletions().find({ _id: clanId }).toArray();
  expect(Object.keys(doc).toSorted()).toStrictEqual([
    "_id",
    "aliveAt",
    "createdAt",
    "finishedAt",
    "members",
    "searchedAt",
  ]);
  await worker.close();
});
