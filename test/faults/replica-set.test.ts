// Three MongoDB nodes: a primary that steps down, and one that dies with writes that no other node has. What was
// acknowledged stays, and what the dead primary alone had counts once when it is sent again.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import mongoose from "mongoose";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { systemClock } from "#runtime/process/clock.ts";
import { crc32, digest, randomText } from "#runtime/process/secrets.ts";
import { NEW_HEAD } from "#domain/member.ts";
import { SCOPES_DEFAULT } from "#domain/scope.ts";
import { makeBatchStore } from "#store/batch-store.ts";
import { makeClanStore } from "#store/clan-store.ts";
import { openDatabase, type Database } from "#store/database.ts";
import { docOfEntry } from "#store/documents.ts";
import { makeKeyStore } from "#store/key-store.ts";
import { makeLedgerStore } from "#store/ledger-store.ts";
import { makeMemberStore } from "#store/member-store.ts";
import type { EntryDoc, MemberDoc } from "#store/models.ts";
import { makeCreateKey } from "#usecases/keys/create-key.ts";
import { memberIdOf } from "#domain/member-id.ts";
import { cacheDir } from "../../scripts/paths.js";
import { findServer } from "../../scripts/servers/find-server.js";
import { servers } from "../../scripts/servers/list.js";
import { freePort } from "../../scripts/services/ports.js";
import { startApi, type Api } from "../../apps/api/compose.ts";
import { startWorker, type WorkerApp } from "../../apps/worker/compose.ts";
import { until } from "../support/until.ts";
import { scrape } from "../ops/scrape.ts";
import { makeEntry } from "../support/entry.ts";
import { autoClan, testLog } from "../support/world.ts";
import { sendBatch, startLoad, type Load } from "./load.ts";
import type { Target } from "./send.ts";
import { seedOfRun } from "../support/seed.ts";
import { violations } from "./violations.ts";
import { testActor } from "../support/actor.ts";

const NODES = 3;
/** An election follows a primary's death after this; MongoDB's default is 10 s. */
const ELECTION_MS = 2_000;
type Node = { host: string; start: () => ChildProcess; process: ChildProcess };

describe("three MongoDB nodes", { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "clanxp-nodes-"));
  const nodes: Node[] = [];
  let database: Database;
  let api: Api;
  let worker: WorkerApp;

  async function startNode(index: number): Promise<void> {
    const server = await findServer(servers.mongod, { cacheDir, node: process.execPath, log: () => {} });
    const port = await freePort();
    const path = join(folder, `node-${index}`);
    mkdirSync(path);
    const args = [
      "--replSet",
      "rs3",
      "--dbpath",
      path,
      "--port",
      String(port),
      "--bind_ip",
      "127.0.0.1",
      "--nounixsocket",
      "--quiet",
    ];
    const limits = [
      "--wiredTigerCacheSizeGB",
      "0.25",
      "--oplogSize",
      "990",
      "--setParameter",
      "transactionLifetimeLimitSeconds=10",
    ];
    // For fail points.
    const commands = ["--setParameter", "enableTestCommands=1"];
    const start = (): ChildProcess =>
      spawn(server.command, [...args, ...limits, ...commands], {
        env: { ...process.env, ...server.env },
        stdio: "ignore",
      });
    nodes.push({ host: `127.0.0.1:${port}`, start, process: start() });
  }

  beforeAll(async () => {
    for (let index = 0; index < NODES; index += 1) await startNode(index);
    for (let index = 0; index < NODES; index += 1) await adminOf(nodes, index, (admin) => admin.command({ ping: 1 }));
    const members = nodes.map(({ host }, _id) => ({ _id, host }));
    await adminOf(nodes, 0, (admin) =>
      admin.command({ replSetInitiate: { _id: "rs3", members, settings: { electionTimeoutMillis: ELECTION_MS } } }),
    );
    const url = `mongodb://${nodes.map(({ host }) => host).join(",")}/clanxp-${randomText(8)}?replicaSet=rs3`;
    database = openDatabase({ url, name: "clanxp-test", log: testLog });
    await database.ready;

    const urls = { mongoUrl: url, redisUrl: inject("redisUrl") };
    const config = {
      host: "127.0.0.1",
      port: 0,
      opsPort: 0,
      ...urls,
      logLevel: "silent",
      requestLogSample: 0,
      batchRetentionDays: 90,
      reversalRetentionDays: 90,
      buildCommit: "test",
    } as const;
    [api, worker] = await Promise.all([startApi({ config, log: testLog }), startWorker({ config, log: testLog })]);
    await Promise.all([api.ready, worker.ready]);
  }, 120_000);
  afterAll(async () => {
    await Promise.all([api.close(), worker.close()]);
    await database.close();
    for (const { process: child } of nodes) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  });

  /** A new clan, and where its callers send. */
  async function makeTarget(clanId: string): Promise<Target> {
    const [clans, keys] = [makeClanStore(database), makeKeyStore(database)];
    await clans.create({ ...autoClan, clanId }, testActor);
    const createKey = makeCreateKey({ clans, keys, clock: systemClock, digest, crc32, randomText });
    const issued = await createKey({ clanId, name: "faults", scopes: SCOPES_DEFAULT, expiresAt: null }, testActor);
    if (issued.kind !== "issued") throw new Error(issued.detail);
    return { clanId, key: issued.secret, baseUrls: () => [`http://127.0.0.1:${api.port}`] };
  }

  /** Kills a node that is the primary; resolves once it is back as a secondary, after `meanwhile`. */
  async function killed(node: Node, meanwhile: () => Promise<void>): Promise<void> {
    const ended = once(node.process, "exit");
    node.process.kill("SIGKILL");
    await ended;
    await meanwhile();
    node.process = node.start();
    await until(() =>
      adminOf(nodes, nodes.indexOf(node), (admin) => admin.command({ hello: 1 })).then(
        (hello) => hello["secondary"] === true,
        () => false,
      ),
    );
  }

  async function primary(): Promise<Node> {
    let found: Node | undefined;
    await until(async () => {
      const hello = await database.db().admin().command({ hello: 1 });
      found = nodes.find(({ host }) => host === hello["primary"]);
      return found && hello["isWritablePrimary"];
    });
    if (!found) throw new Error("there is no primary");
    return found;
  }

  test("a batch whose record a dying primary alone had, sent again under its key: it is applied once", async () => {
    const target = await makeTarget("lost-record");
    const batch = {
      key: "k",
      awards: Array.from({ length: 20 }, (_, index) => ({ platformId: `m${index % 5}`, amount: index })),
    };
    const doomed = await primary();
    const others = nodes.filter((node) => node !== doomed);
    // The others stay in touch with the primary and copy nothing from it.
    await replicate(others, false);
    const reply = await fetch(`${target.baseUrls()[0]}/v0/clans/${target.clanId}/xp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${target.key}`,
        "idempotency-key": batch.key,
        "content-type": "application/json",
      },
      body: JSON.stringify({ awards: batch.awards }),
    });
    expect(await reply.json()).toMatchObject({ status: 503, code: "outcome_unknown" });
    // Old enough for the recovery scan by now.
    await scans(2);
    expect(await countOn(doomed, "batches", {}, "local")).toBe(1);
    expect(await makeBatchStore(database).listUnfinished({ limit: 10, afterId: null })).toStrictEqual([]);

    await killed(doomed, async () => {
      await replicate(others, true);
      const sent = await sendBatch(target, batch);
      // A worker that had begun with the lost record gets on with it by now.
      await scans(1);
      expect(
        await violations("record of a batch rolled back", database, target.clanId, { awards: [], batches: [sent] }),
      ).toStrictEqual([]);
      expect(await database.db().collection("ledger").countDocuments({ "_id.clanId": target.clanId })).toBe(20);
    });
  });

  async function replicate(those: readonly Node[], on: boolean): Promise<void> {
    for (const node of those) {
      const failPoint = { configureFailPoint: "stopReplProducer", mode: on ? "off" : "alwaysOn" };
      await adminOf(nodes, nodes.indexOf(node), (admin) => admin.command(failPoint));
    }
  }

  /** Resolves when the worker has looked for batches without a job so many more times. */
  async function scans(more: number): Promise<void> {
    const sofar = async (): Promise<number> =>
      (await scrape(worker.opsPort)).series.get("clanxp_recovery_scans_total") ?? 0;
    const enough = (await sofar()) + more;
    await until(async () => (await sofar()) >= enough);
  }

  // One history for both: the second fault must not undo what was acknowledged before the first.
  test("a stepdown, and a primary killed with writes that no other node has: nothing acknowledged is lost, nothing counts twice, no read shows what only that primary had", async () => {
    const target = await makeTarget("faults");
    const load: Load = startLoad(target, { callers: 12, members: 8, queues: 2, batchers: 1, seed: seedOfRun() });
    await load.acknowledged(100);
    const first = await primary();
    await adminOf(nodes, nodes.indexOf(first), (admin) =>
      admin.command({ replSetStepDown: 10, secondaryCatchUpPeriodSecs: 2 }),
    ).catch(() => {});
    await load.acknowledged(100);

    const second = await primary();
    const others = nodes.filter((node) => node !== second);
    // Silent, the others take no more writes; what the primary commits now is its own, and no majority's.
    for (const other of others) other.process.kill("SIGSTOP");
    const shown = await shownOfOwnWrite();
    const alone = await aloneWrites(second, target.clanId);
    expect(alone).toBeGreaterThan(0);
    expect(shown).toStrictEqual({ member: null, members: [], entries: [] });
    await killed(second, async () => {
      for (const other of others) other.process.kill("SIGCONT");
      await load.acknowledged(100);
      const seen = await load.stop();
      const name = "primary stepped down, then killed with unreplicated writes";
      expect(await violations(name, database, target.clanId, seen)).toStrictEqual([]);
    });
  });

  /** What the reads of members and entries show of a member that the primary alone has. */
  async function shownOfOwnWrite(): Promise<object> {
    const ref = { clanId: "unconfirmed", platformId: "p" };
    const own = { writeConcern: { w: 1 } };
    const head = { ...NEW_HEAD, xp: 5n, seq: 1 };
    await database
      .db()
      .collection<MemberDoc>("members")
      .insertOne({ _id: memberIdOf(ref), ...ref, ...head }, own);
    await database
      .db()
      .collection<EntryDoc>("ledger")
      .insertOne(docOfEntry(makeEntry(ref)), own);
    const [store, entries] = [makeMemberStore(database), makeLedgerStore(database)];
    const page = { sort: "xp", limit: 10, after: null } as const;
    return {
      member: await store.read(ref),
      members: (await store.list(ref.clanId, page)).items,
      entries: (await entries.listOfMember(ref, { limit: 10, beforeSeq: null })).items,
    };
  }

  /** Resolves when the primary has committed entries that no majority has; how many. */
  async function aloneWrites(node: Node, clanId: string): Promise<number> {
    const ofClan = { "_id.clanId": clanId };
    let alone = 0;
    await until(
      async () =>
        (alone =
          (await countOn(node, "ledger", ofClan, "local")) - (await countOn(node, "ledger", ofClan, "majority"))) > 0,
    );
    return alone;
  }

  /** How many documents a node has by itself, or knows that a majority has. */
  async function countOn(node: Node, collection: string, filter: object, level: "local" | "majority"): Promise<number> {
    const client = await new mongoose.mongo.MongoClient(`mongodb://${node.host}`, { directConnection: true }).connect();
    try {
      const { databaseName } = database.db();
      const found = client
        .db(databaseName)
        .collection(collection)
        .find(filter, { readConcern: { level }, projection: { _id: 1 } });
      return (await found.toArray()).length;
    } finally {
      await client.close(true);
    }
  }
});

/** Asks one node, whatever it is to the others. */
async function adminOf<T>(
  nodes: readonly Node[],
  index: number,
  ask: (admin: mongoose.mongo.Admin) => Promise<T>,
): Promise<T> {
  const client = await new mongoose.mongo.MongoClient(`mongodb://${nodes[index]?.host}`, {
    directConnection: true,
  }).connect();
  try {
    return await ask(client.db("admin").admin());
  } finally {
    await client.close();
  }
}
