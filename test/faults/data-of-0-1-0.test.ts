// Data that version 0.1.0 left, read without a migration: its entries, members, keys and unfinished batches are served
// as they are.
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BSON, type IndexDescription, MongoClient } from "mongodb";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { startProcess, type RealProcess } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { patientCliOn, type CommandLine } from "../support/cli.ts";
import { callerOf, type Caller } from "../support/http.ts";

const folder = join(import.meta.dirname, "../fixtures/data-of-0-1-0");
const { EJSON } = BSON;

type Call = { clan: Clan; path: string; key: string; body: unknown; answer: { batchId?: string } };
type Clan = "rovers" | "guild";

const textOf = (name: string): string => readFileSync(join(folder, name), "utf8");
const linesOf = (name: string): string[] => textOf(name).trimEnd().split("\n");
const calls: Call[] = linesOf("calls.jsonl").map((line) => JSON.parse(line));
const accepted = calls.filter(({ answer }) => answer.batchId !== undefined);
const secrets: Record<Clan, string> = JSON.parse(textOf("secrets.json"));

describe("data of version 0.1.0", { timeout: 60_000 }, () => {
  const database = `test-old-data-${randomBytes(4).toString("hex")}`;
  const running: RealProcess[] = [];
  let client: MongoClient;
  let cli: CommandLine;
  let callers: Record<Clan, Caller>;

  beforeAll(async () => {
    client = await new MongoClient(inject("mongoUrls").root).connect();
    await restore();
    const url = new URL(inject("mongoUrls").root);
    url.pathname = `/${database}`;
    const env = { MONGO_URL: url.href, REDIS_URL: inject("redisUrl"), LOG_LEVEL: "info" };
    cli = patientCliOn(env);
    running.push(startProcess("api", env), startProcess("worker", env));
    const [api] = await Promise.all(running.map((process) => process.ready()));
    const callerFor = (clan: Clan): Caller => callerOf(api?.port ?? 0, secrets[clan], `/v0/clans/${clan}`);
    callers = { rovers: callerFor("rovers"), guild: callerFor("guild") };
  });
  afterAll(async () => {
    await Promise.all(running.map((process) => process.stop()));
    await client.db(database).dropDatabase();
    await client.close();
  });

  const collection = (name: string) => client.db(database).collection<any>(name);

  /** As the documents were, indexes too, before any process of this version has seen them. */
  async function restore(): Promise<void> {
    for (const file of readdirSync(folder).filter((name) => name.endsWith(".jsonl") && name !== "calls.jsonl")) {
      await collection(file.replace(".jsonl", "")).insertMany(
        linesOf(file).map((line) => EJSON.parse(line, { relaxed: false })),
      );
    }
    for (const [name, indexes] of Object.entries<IndexDescription[]>(JSON.parse(textOf("indexes.json")))) {
      if (indexes.length > 0) await collection(name).createIndexes(indexes);
    }
  }

  /** The ledger, the members and the batches agree, and no member's document differs from the ledger. */
  async function expectSound(): Promise<void> {
    const reconciled = await cli.json("reconcile");
    expect(reconciled.answer.differences).toStrictEqual([]);
    expect(reconciled.exitCode).toBe(0);
    const heads = await collection("ledger")
      .aggregate([{ $group: { _id: { $concat: ["$_id.clanId", "/", "$_id.platformId"] }, seq: { $max: "$_id.seq" } } }])
      .toArray();
    await until(async () => {
      const found = await collection("members").find().toArray();
      const seqs = new Map(found.map(({ _id, seq }) => [_id, seq]));
      return heads.every(({ _id, seq }) => seqs.get(_id) >= seq);
    });
    // A list adds what documents of that version lack.
    for (const caller of Object.values(callers))
      expect((await caller.get("/members?sort=platformId&limit=200")).status).toBe(200);
    const rebuilt = await cli.json("rebuild");
    expect([rebuilt.exitCode, rebuilt.answer.changed]).toStrictEqual([0, 0]);
  }

  function ended({ clan, answer }: Call): Promise<void> {
    return until(async () => (await callers[clan].get(`/batches/${answer.batchId}`)).body.status === "done");
  }

  test("passes all checks of `clanxp doctor` once its batches are done", async () => {
    await Promise.all(accepted.map(ended));
    // As the upgrade guide says, once no process of that version runs any more.
    await collection("members").dropIndex("clanId_1_xp_-1_platformId_1");
    // Servers that pause fail a check meanwhile.
    const found = async () => {
      const { exitCode, answer } = await cli.json("doctor");
      const isListed = ({ name, status }: any) => /^indexes of|^batches/.test(name) && status !== "ok";
      return [exitCode, answer.checks.filter(isListed)];
    };
    await expect.poll(found).toStrictEqual([0, []]);
  });

  test("returns the responses of version 0.1.0 to retries of awards and finished batches, and does not change", async () => {
    for (const { clan, path, key, body, answer } of calls.filter((call) => !accepted.includes(call))) {
      const reply = await callers[clan].post(path, body, { "idempotency-key": key });
      expect([key, reply.status, reply.headers.get("idempotency-replayed"), reply.body]).toStrictEqual([
        key,
        200,
        "true",
        answer,
      ]);
    }
    const reused = await callers.rovers.post("/members/guest/xp", { amount: 6 }, { "idempotency-key": "guest-1" });
    expect(reused.status).toBe(422);
    await expectSound();
  });

  test("has unfinished batches that are completed, even one whose worker was killed halfway", async () => {
    await Promise.all(accepted.map(ended));
    for (const { clan, path, key, body } of accepted) {
      const reply = await callers[clan].post(path, body, { "idempotency-key": key });
      expect([key, reply.status, reply.headers.get("idempotency-replayed")]).toStrictEqual([key, 200, "true"]);
    }
    const amounts = await collection("ledger")
      .find({ batchId: { $in: accepted.map(({ answer }) => answer.batchId) } }, { sort: { batchId: 1, key: 1 } })
      .map(({ _id, amount }) => [_id.platformId, Number(amount)])
      .toArray();
    expect(amounts).toStrictEqual([
      ["hot", 2],
      ["blocked", 11],
      ["batched", 4],
      ["blocked", 12],
      ["guest", 1],
      ["hot", 5],
      ["new", 100],
    ]);
    await expectSound();
  });

  test("keeps XP, memberships and appointments through new awards, and its entries do not change", async () => {
    for (const [clan, member, amount, expected] of [
      ["rovers", "deducted", 30, { xp: "30", rank: "Recruit" }],
      ["rovers", "late-officer", -1000, { xp: "525", rank: "Chief" }],
      ["rovers", "joined", 1, { xp: "1", rank: "Recruit" }],
      ["rovers", "officer", -4, { xp: "6", rank: "Officer" }],
      ["guild", "captain", 1, { xp: "8", rank: "Captain" }],
      ["guild", "crewman", 8, { xp: "-50", rank: "Crew" }],
    ] as const) {
      const before = (await callers[clan].get(`/members/${member}`)).body;
      const reply = await callers[clan].post(`/members/${member}/xp`, { amount });
      expect([reply.status, reply.body]).toMatchObject([200, expected]);
      const after = (await callers[clan].get(`/members/${member}`)).body;
      expect(after).toMatchObject({ ...expected, membership: before.membership });
      expect(before.membership).not.toBeNull();
    }
    const stranger = await callers.guild.post("/members/stranger/xp", { amount: 1 });
    expect([stranger.status, stranger.body.code]).toStrictEqual([404, "member_not_found"]);
    await expectSound();

    const ids = linesOf("ledger.jsonl").map((line) => EJSON.parse(line)._id);
    const stored = await collection("ledger")
      .find({ _id: { $in: ids } }, { sort: { _id: 1 }, promoteValues: false })
      .toArray();
    expect(stored.map((doc) => JSON.parse(EJSON.stringify(doc, { relaxed: false })))).toStrictEqual(
      linesOf("ledger.jsonl").map((line) => JSON.parse(line)),
    );
  });
});
