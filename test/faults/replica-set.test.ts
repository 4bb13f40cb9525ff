// Three MongoDB nodes: a primary that steps down, and one that dies with writes that no other node has. What was acknowledged stays.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import mongoose from "mongoose";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { systemClock } from "#runtime/clock.ts";
import { crc32, digest, randomText } from "#runtime/secrets.ts";
import { NEW_HEAD } from "#domain/member.ts";
import { SCOPES_DEFAULT } from "#domain/scope.ts";
import { makeClanStore } from "#store/clan-store.ts";
import { openDatabase, type Database } from "#store/database.ts";
import { docOfEntry } from "#store/documents.ts";
import { makeKeyStore } from "#store/key-store.ts";
import { makeLedgerStore } from "#store/ledger-store.ts";
import { makeMemberStore } from "#store/member-store.ts";
import type { EntryDoc, MemberDoc } from "#store/models.ts";
import { makeCreateKey } from "#usecases/issue-key.ts";
import { memberIdOf } from "#usecases/ports.ts";
import { cacheDir } from "../../scripts/paths.js";
import { findServer } from "../../scripts/servers/find-server.js";
import { servers } from "../../scripts/servers/list.js";
import { freePort } from "../../scripts/services/ports.js";
import { startApi, type Api } from "../../apps/api/api.ts";
import { startWorker, type WorkerApp } from "../../apps/worker/worker.ts";
import { until } from "../scripts/npm-start.ts";
import { makeEntry } from "../support/entry.ts";
import { autoClan, testLog } from "../support/world.ts";
import { startLoad, type Load } from "./load.ts";
import type { Target } from "./send.ts";
import { seedOfRun } from "./seed.ts";
import { violations } from "./violations.ts";

const NODES = 3;
/** An election follows a primary's death after this; MongoDB's default is 10 s. */
const ELECTION_MS = 2_000;
type Node = { host: string; process: ChildProcess };

describe("three MongoDB nodes", { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "clanxp-nodes-"));
  const nodes: Node[] = [];
  let database: Database;
  const parts: (Api | WorkerApp)[] = [];
  let target: Target;

  async function startNode(index: number): Promise<void> {
    const server = await findServer(servers.mongod, { cacheDir, node: process.execPath, log: () => {} });
    const port = await freePort();
    const path = join(folder, `node-${index}`);
    mkdirSync(path);
    const args = ["--replSet", "rs3", "--dbpath", path, "--port", String(port), "--bind_ip", "127.0.0.1", "--nounixsocket", "--quiet"];
    const limits = ["--wiredTigerCacheSizeGB", "0.25", "--oplogSize", "990", "--setParameter", "transactionLifetimeLimitSeconds=10"];
    const child = spawn(server.command, [...args, ...limits], { env: { ...process.env, ...server.env }, stdio: "ignore" });
    nodes.push({ host: `127.0.0.1:${port}`, process: child });
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

    const clanId = "faults";
    const [clans, keys] = [makeClanStore(database), makeKeyStore(database)];
    await clans.create({ ...autoClan, clanId });
    const issued = await makeCreateKey({ clans, keys, clock: systemClock, digest, crc32, randomText })({
      clanId,
      name: "faults",
      scopes: SCOPES_DEFAULT,
      expiresAt: null,
    });
    if (issued.kind !== "issued") throw new Error(issued.detail);
    const urls = { mongoUrl: url, redisUrl: inject("redisUrl") };
    const config = {
      host: "127.0.0.1",
      port: 0,
      opsPort: 0,
      ...urls,
      logLevel: "silent",
      requestLogSample: 0,
      buildCommit: "test",
    } as const;
    const [api, worker] = await Promise.all([startApi({ config, log: testLog }), startWorker({ config, log: testLog })]);
    await Promise.all([api.ready, worker.ready]);
    parts.push(api, worker);
    target = { clanId, key: issued.secret, baseUrls: () => [`http://127.0.0.1:${api.port}`] };
  }, 120_000);
  afterAll(async () => {
    await Promise.all(parts.map((part) => part.close()));
    await database.close();
    for (const { process: child } of nodes) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  });

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

  // One history for both: the second fault must not undo what was acknowledged before the first.
  test("a stepdown, and a primary killed with writes that no other node has: nothing acknowledged is lost, nothing counts twice, no read shows what only that primary had", async () => {
    const load: Load = startLoad(target, { callers: 12, members: 8, queues: 2, batchers: 1, seed: seedOfRun() });
    await load.acknowledged(100);
    const first = await primary();
    await adminOf(nodes, nodes.indexOf(first), (admin) => admin.command({ replSetStepDown: 10, secondaryCatchUpPeriodSecs: 2 })).catch(
      () => {},
    );
    await load.acknowledged(100);

    const second = await primary();
    const others = nodes.filter((node) => node !== second);
    // Silent, the others take no more writes; what the primary commits now is its own, and no majority's.
    for (const other of others) other.process.kill("SIGSTOP");
    const shown = await shownOfOwnWrite();
    const alone = await aloneWrites(second);
    second.process.kill("SIGKILL");
    for (const other of others) other.process.kill("SIGCONT");
    await load.acknowledged(100);
    const seen = await load.stop();

    expect(alone).toBeGreaterThan(0);
    expect(shown).toStrictEqual({ member: null, members: [], entries: [] });
    expect(await violations("primary stepped down, then killed with unreplicated writes", database, target.clanId, seen)).toStrictEqual([]);
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
  async function aloneWrites(node: Node): Promise<number> {
    const client = await new mongoose.mongo.MongoClient(`mongodb://${node.host}`, { directConnection: true }).connect();
    try {
      const ledger = client.db(database.db().databaseName).collection("ledger");
      const count = (level: "local" | "majority"): Promise<number> =>
        ledger
          .find({ "_id.clanId": target.clanId }, { readConcern: { level } })
          .toArray()
          .then((all) => all.length);
      let alone = 0;
      await until(async () => (alone = (await count("local")) - (await count("majority"))) > 0);
      return alone;
    } finally {
      await client.close(true);
    }
  }
});

/** Asks one node, whatever it is to the others. */
async function adminOf<T>(nodes: readonly Node[], index: number, ask: (admin: mongoose.mongo.Admin) => Promise<T>): Promise<T> {
  const client = await new mongoose.mongo.MongoClient(`mongodb://${nodes[index]?.host}`, { directConnection: true }).connect();
  try {
    return await ask(client.db("admin").admin());
  } finally {
    await client.close();
  }
}
