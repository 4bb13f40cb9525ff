// Three MongoDB nodes: a primary that steps down, and one that dies with writes that no other node has. What was
// acknowledged stays, and what the dead primary alone had counts once when it is sent again.
import { Long, MongoClient } from "mongodb";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { systemClock } from "#process/clock.ts";
import { crc32, digest, randomText } from "#process/secrets.ts";
import { NEW_HEAD } from "#domain/head.ts";
import { SCOPES_DEFAULT } from "#domain/scope.ts";
import { makeBatchStore } from "#batches/store/batch-store.ts";
import { makeClanStore } from "#clans/store/clan-store.ts";
import { openDatabase } from "#composition/open-database.ts";
import type { Database } from "#mongo/database.ts";
import { docOfEntry, type EntryDoc } from "#ledger/store/entry-model.ts";
import { makeKeyStore } from "#keys/store/key-store.ts";
import { makeLedgerReader } from "#ledger/store/ledger-reader.ts";
import { makeMemberStore } from "#members/store/member-store.ts";
import type { MemberDoc } from "#ledger/store/member-model.ts";
import { makeCreateKey } from "#keys/create-key.ts";
import { memberIdOf } from "#domain/member-id.ts";
import { startApi, type Api } from "../../apps/api/compose.ts";
import { startWorker, type WorkerApp } from "../../apps/worker/compose.ts";
import { startNotifier, type NotifierApp } from "../../apps/notifier/compose.ts";
import { IN_FLIGHT_MAX, makeWitness } from "../support/deliveries-oracle.ts";
import { destinationsIn, notifierSettings, webhookTo } from "../support/destinations.ts";
import { startReceiver } from "../support/receiver.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { until } from "../support/until.ts";
import { scrape } from "../support/scrape.ts";
import { makeEntry } from "../support/entry.ts";
import { autoClan, testLog } from "../support/world.ts";
import { sendBatch, startLoad, type Load } from "./load.ts";
import { startReplicaSet, type Node, type ReplicaSet } from "./replica-set.ts";
import type { Target } from "./send.ts";
import { seedOfRun } from "../support/seed.ts";
import { violations } from "./violations.ts";
import { testActor } from "../support/actor.ts";

/** In the one test that has deliveries. */
const FAILOVERS = 2;

describe("a failover of three MongoDB nodes", { timeout: 120_000 }, () => {
  let nodes: ReplicaSet;
  let database: Database;
  let api: Api;
  let worker: WorkerApp;
  let notifier: NotifierApp;

  beforeAll(async () => {
    nodes = await startReplicaSet();
    const url = nodes.urlOf(`clanxp-${randomText(8)}`);
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
      keepAliveS: 65,
      reversalRetentionDays: 90,
      eventRetentionDays: 30,
      boardRetentionDays: 90,
      buildCommit: "test",
    } as const;
    const log = testLog;
    [api, worker, notifier] = await Promise.all([
      startApi({ config, log }),
      startWorker({ config, log }),
      // No response is late: what is sent twice was not recorded.
      startNotifier({ config: { ...config, ...notifierSettings, webhookTimeoutMs: 30_000 }, log }),
    ]);
    await Promise.all([api.ready, worker.ready, notifier.ready]);
  }, 120_000);
  afterAll(async () => {
    await Promise.all([api.close(), worker.close(), notifier.close()]);
    await database.close();
    await nodes.close();
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

  async function primary(): Promise<Node> {
    let found: Node | undefined;
    await until(async () => {
      // Rejects during an election.
      const hello = await database
        .db()
        .admin()
        .command({ hello: 1 })
        .catch(() => null);
      found = nodes.all.find(({ host }) => host === hello?.["primary"]);
      return found && hello?.["isWritablePrimary"];
    });
    if (!found) throw new Error("there is no primary");
    return found;
  }

  test("applies a batch once that only the failed primary had recorded, when it is retried with its key", async () => {
    const target = await makeTarget("lost-record");
    const batch = {
      key: "k",
      awards: Array.from({ length: 20 }, (_, index) => ({ platformId: `m${index % 5}`, amount: index })),
    };
    const doomed = await primary();
    const others = nodes.all.filter((node) => node !== doomed);
    // The others stay in touch with the primary and copy nothing from it.
    await nodes.replicate(others, false);
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

    await nodes.killed(doomed, async () => {
      await nodes.replicate(others, true);
      const sent = await sendBatch(target, batch);
      // A worker that had begun with the lost record gets on with it by now.
      await scans(1);
      expect(
        await violations("record of a batch rolled back", database, target.clanId, { awards: [], batches: [sent] }),
      ).toStrictEqual([]);
      expect(await database.db().collection("ledger").countDocuments({ "_id.clanId": target.clanId })).toBe(20);
    });
  });

  /** Resolves when the worker has looked for batches without a job so many more times. */
  async function scans(more: number): Promise<void> {
    const sofar = async (): Promise<number> =>
      (await scrape(worker.opsPort)).series.get("clanxp_recovery_scans_total") ?? 0;
    const enough = (await sofar()) + more;
    await until(async () => (await sofar()) >= enough);
  }

  // One history for both: the second fault must not undo what was acknowledged before the first.
  test("loses no acknowledged award and no event, applies none twice, and exposes no unreplicated writes", async ({
    onTestFinished,
  }) => {
    const target = await makeTarget("faults");
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const witness = makeWitness();
    receiver.answer(witness.watch(() => ({ status: 204 })));
    const destinations = destinationsIn(database);
    const destinationId = await destinations.add(target.clanId, webhookTo(receiver.url));
    const load: Load = startLoad(target, { callers: 12, members: 8, queues: 2, batchers: 1, seed: seedOfRun() });
    await load.acknowledged(100);
    const first = await primary();
    await nodes.command(first, { replSetStepDown: 10, secondaryCatchUpPeriodSecs: 2 }).catch(() => {});
    await load.acknowledged(100);

    const second = await primary();
    const others = nodes.all.filter((node) => node !== second);
    // Silent, the others take no more writes; what the primary commits now is its own, and no majority's.
    for (const other of others) other.process.kill("SIGSTOP");
    const shown = await shownOfOwnWrite();
    const alone = await aloneWrites(second, target.clanId);
    expect(alone).toBeGreaterThan(0);
    expect(shown).toStrictEqual({ member: null, members: [], entries: [] });
    await nodes.killed(second, async () => {
      for (const other of others) other.process.kill("SIGCONT");
      await load.acknowledged(100);
      const seen = await load.stop();
      const name = "primary stepped down, then killed with unreplicated writes";
      expect(await violations(name, database, target.clanId, seen)).toStrictEqual([]);
      await destinations.untilDone(destinationId);
      const events = await destinations.eventsOf(target.clanId);
      expect(events.length).toBeGreaterThan(0);
      const lostMax = FAILOVERS * IN_FLIGHT_MAX;
      expect(await witness.disagreements(destinations, destinationId, events, { lostMax })).toStrictEqual([]);
    });
  });

  // Its monitor repeats to a server the version of its topology, from the server's last error too, and would end the
  // process if it could not: seen when a mongod with a full disk ended.
  test("a client can repeat the version of the topology that an error of a former primary has", async ({
    onTestFinished,
  }) => {
    const former = await primary();
    // Nothing is left to copy, so that it steps down immediately.
    await database
      .db()
      .collection("any")
      .insertOne({}, { writeConcern: { w: nodes.all.length } });
    const proxy = await startTcpProxy({ host: "127.0.0.1", port: Number(former.host.split(":")[1]) });
    onTestFinished(() => proxy.close());
    // So that the server cannot announce that it steps down.
    const waitsForChange = proxy.holdBack("topologyVersion");
    // Its collections exist, so that the client is ready before its monitor gives the connection up.
    const url = `mongodb://127.0.0.1:${proxy.port}/${database.db().databaseName}?directConnection=true`;
    const client = openDatabase({ url, name: "clanxp-test", log: testLog });
    onTestFinished(() => client.close());
    await client.ready;
    await waitsForChange;
    await nodes.command(former, { replSetStepDown: 60, secondaryCatchUpPeriodSecs: 30 });

    const versions: unknown[] = [];
    client.db().client.on("serverDescriptionChanged", ({ newDescription: { error, topologyVersion } }) => {
      if (error !== null) versions.push(topologyVersion?.counter);
    });
    await expect(client.db().collection("any").insertOne({})).rejects.toThrow("not primary");
    expect(versions).toStrictEqual([expect.any(Long)]);
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
    const [store, entries] = [makeMemberStore(database), makeLedgerReader(database)];
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
    const client = await new MongoClient(`mongodb://${node.host}`, { directConnection: true }).connect();
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
