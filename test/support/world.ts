// A world for one test file: its own database, its own names in Redis, the API in this process, a worker and a notifier
// when asked for.
import { randomBytes } from "node:crypto";
import type { Redis } from "ioredis";
import { pino } from "pino";
import { inject } from "vitest";
import { AMOUNT_MAX_DEFAULT, XP_MAX } from "#domain/bounds.ts";
import type { Clan } from "#domain/clan.ts";
import { NEW_HEAD } from "#domain/head.ts";
import { SCOPES_DEFAULT, type Scope } from "#domain/scope.ts";
import { openBlockingRedis } from "#redis/connection.ts";
import { systemClock } from "#process/clock.ts";
import type { Config, NotifierConfig } from "#process/config.ts";
import { makeIds } from "#process/ids.ts";
import { crc32, digest, randomText } from "#process/secrets.ts";
import { makeLedgerStore } from "#ledger/store/ledger-store.ts";
import { makeBatchStore } from "#batches/store/batch-store.ts";
import { makeClanStore } from "#clans/store/clan-store.ts";
import { makeChangeClan } from "#ranks/store/change-clan.ts";
import { reachDatabase } from "#composition/open-database.ts";
import { withStored, type DatabaseOfTest } from "./stored.ts";
import { redisNamespace } from "#redis/namespace.ts";
import { makeKeyStore } from "#keys/store/key-store.ts";
import { makeMemberStore } from "#members/store/member-store.ts";
import { makeCreateKey } from "#keys/create-key.ts";
import { makeRotateKey } from "#keys/rotate-key.ts";
import type { IssuedKey, KeyRejection } from "#keys/issue-key.ts";
import type { BatchStore } from "#batches/ports.ts";
import { memberIdOf, type MemberRef } from "#domain/member-id.ts";
import type { ClanChanges, ClanStore } from "#clans/ports.ts";
import type { KeyStore } from "#keys/ports.ts";
import type { MemberStore } from "#members/ports.ts";
import { openLedger } from "../../apps/cli/open/ledger.ts";
import { makeStores } from "../../apps/cli/open/stores.ts";
import { makeAddMember } from "#members/add-member.ts";
import { startApi, type Api, type ApiLimits } from "../../apps/api/compose.ts";
import { startNotifier, type NotifierApp } from "../../apps/notifier/compose.ts";
import { startWorker, type WorkerApp } from "../../apps/worker/compose.ts";
import { notifierSettings } from "./destinations.ts";
import { makeEntry } from "./entry.ts";
import { lockOfThisRun } from "./locks.ts";
import { testActor } from "./actor.ts";
import { giveBack, newDatabase, takeDatabase } from "./databases.ts";

const DATABASE_MS_MAX = 30_000;

export const testLog = pino({ level: process.env["TEST_LOG"] ?? "silent" });

/**
 * A test's own connection to Redis. It does not fail fast, as most of the product's do: a pause of this process or of
 * Redis must not fail the test.
 */
export function openTestRedis(url: string): Redis {
  return openBlockingRedis({ url, log: testLog });
}

export type World = {
  /** The database as workers and the command line reach it. */
  mongoUrl: string;
  /** As notifiers reach it. */
  notifierMongoUrl: string;
  /** The same without any limit of rights. */
  rootMongoUrl: string;
  redisUrl: string;
  /** Of the API and the dashboard; a worker has the other database user. */
  config: Config;
  /** Without any limit of rights. */
  database: DatabaseOfTest;
  clans: ClanStore & ClanChanges;
  keys: KeyStore;
  members: MemberStore & {
    /** Gives a membership, as `member add` does, and an appointment where a rank is named. */
    join(member: MemberRef, since: Date, appointedRank: string | null): Promise<void>;
  };
  batches: BatchStore;
  /** Writes an entry that leaves the member with this XP, whatever the clan's rules. */
  setXp(member: MemberRef, xp: bigint): Promise<void>;
  /** A new clan, Auto Clan with Recruit 100, Veteran 1000, Elite 10000 by default, and a key for it. */
  makeClan(changes?: Partial<Clan>, scopes?: readonly Scope[]): Promise<{ clan: Clan; key: string }>;
  makeKey(clanId: string, scopes?: readonly Scope[], expiresAt?: Date): Promise<{ keyId: string; secret: string }>;
  /** `graceMs`: how long the old key lives on. */
  rotateKey(keyId: string, graceMs: number): Promise<{ keyId: string; secret: string }>;
  /** One more API or worker process's worth of objects in this process; closed with the world. */
  startApi(options?: { config?: Partial<Config> } & ApiLimits): Promise<Api>;
  startWorker(options?: { config?: Partial<Config> }): Promise<WorkerApp>;
  startNotifier(options?: { config?: Partial<NotifierConfig> }): Promise<NotifierApp>;
  /** Loses everything that Redis holds of this world, as a flushed Redis would. */
  emptyRedis(): Promise<void>;
  close(): Promise<void>;
};

/** Opens an empty database on the run's MongoDB, or on another one, and the run's Redis. Close it in afterAll. */
export async function makeWorld(server?: string): Promise<World> {
  const servers =
    server === undefined
      ? inject("mongoUrls")
      : { root: server, clanxp: server, clanxpOperator: server, clanxpNotifier: server };
  const name = server === undefined ? takeDatabase() : newDatabase();
  const rootMongoUrl = inDatabase(servers.root, name);
  const mongoUrl = inDatabase(servers.clanxpOperator, name);
  const notifierMongoUrl = inDatabase(servers.clanxpNotifier, name);
  const redisUrl = inject("redisUrl");
  const config: Config = {
    host: "127.0.0.1",
    port: 0,
    opsPort: 0,
    mongoUrl: inDatabase(servers.clanxp, name),
    redisUrl,
    logLevel: "silent",
    requestLogSample: 0,
    batchRetentionDays: 90,
    keepAliveS: 65,
    reversalRetentionDays: 90,
    eventRetentionDays: 30,
    boardRetentionDays: 90,
    buildCommit: "test",
  };
  // It outlasts a pause of MongoDB, as on a busy machine, in which a process of the product gives its connections up.
  const own = { name: "clanxp-test", withinMs: DATABASE_MS_MAX, prepare: true };
  const database = withStored(await reachDatabase({ url: rootMongoUrl, log: testLog, ...own }));
  const clans = { ...makeClanStore(database), change: makeChangeClan(database) };
  const keys = makeKeyStore(database);
  const keyMaking = { clans, keys, clock: systemClock, digest, crc32, randomText };
  const [createKey, rotateKey] = [makeCreateKey(keyMaking), makeRotateKey(keyMaking)];
  const running: { close(): Promise<void> }[] = [];

  async function makeKey(clanId: string, scopes: readonly Scope[] = SCOPES_DEFAULT, expiresAt: Date | null = null) {
    return shown(await createKey({ clanId, name: "test", scopes, expiresAt }, testActor));
  }

  async function join(member: MemberRef, since: Date, appointedRank: string | null): Promise<void> {
    const clock = { ...systemClock, now: () => since };
    const ledger = openLedger({ ...makeStores(database), clans, clock });
    const added = await makeAddMember({ ...ledger, clans, ids: makeIds(clock) })(member, appointedRank, testActor);
    if (added.kind !== "added") throw new Error(added.kind);
    await ledger.close();
  }

  async function setXp(member: MemberRef, xp: bigint): Promise<void> {
    const store = makeLedgerStore(database);
    const before = (await store.readHeads([member])).get(memberIdOf(member)) ?? NEW_HEAD;
    const [seq, applied] = [before.seq + 1, xp - before.xp];
    const at = new Date(0);
    const head = { ...before, seq, xp, lastAwardAt: at };
    const memberSince = head.membership?.since ?? null;
    const committed = await store.commit([
      makeEntry({ ...member, key: `-set${seq}`, seq, amount: applied, applied, xp, memberSince, at }),
    ]);
    if (committed.kind !== "committed") throw new Error(committed.kind);
    await store.project(new Map([[memberIdOf(member), head]]));
  }

  return {
    mongoUrl,
    notifierMongoUrl,
    rootMongoUrl,
    redisUrl,
    config,
    database,
    clans,
    keys,
    members: { ...makeMemberStore(database), join },
    batches: makeBatchStore(database),
    setXp,
    makeKey,
    async makeClan(changes = {}, scopes) {
      const clan: Clan = { ...autoClan, clanId: `clan-${randomBytes(5).toString("hex")}`, ...changes };
      if (!(await clans.create(clan, testActor))) throw new Error(`the clan ${clan.clanId} exists`);
      const { secret } = await makeKey(clan.clanId, scopes);
      return { clan, key: secret };
    },
    rotateKey: async (keyId, graceMs) => shown(await rotateKey({ keyId, graceMs }, testActor)),
    async startApi({ config: changes = {}, ...options } = {}) {
      const api = await startApi({ config: { ...config, ...changes }, log: testLog, ...lockOfThisRun(), ...options });
      running.push(api);
      await api.ready;
      return api;
    },
    async startWorker({ config: changes = {} } = {}) {
      const worker = await startWorker({
        config: { ...config, mongoUrl, ...changes },
        log: testLog,
        ...lockOfThisRun(),
      });
      running.push(worker);
      await worker.ready;
      return worker;
    },
    async startNotifier({ config: changes = {} } = {}) {
      const notifier = await startNotifier({
        config: { ...config, ...notifierSettings, mongoUrl: notifierMongoUrl, ...changes },
        log: testLog,
      });
      running.push(notifier);
      await notifier.ready;
      return notifier;
    },
    emptyRedis: () => deleteFromRedis(redisUrl, redisNamespace(mongoUrl)),
    async close() {
      await Promise.all(running.map((part) => part.close()));
      await deleteFromRedis(redisUrl, redisNamespace(mongoUrl));
      if (server === undefined) await giveBack(database);
      else await database.db().dropDatabase();
      await database.close();
    },
  };
}

function shown(issued: IssuedKey | KeyRejection): { keyId: string; secret: string } {
  if (issued.kind !== "issued") throw new Error(issued.detail);
  return { keyId: issued.key.keyId, secret: issued.secret };
}

export const autoClan: Omit<Clan, "clanId"> = {
  name: "Test",
  autoClan: true,
  ranks: [
    { name: "Guest", kind: "GUEST" },
    { name: "Recruit", kind: "NORMAL", threshold: 100n },
    { name: "Veteran", kind: "NORMAL", threshold: 1000n },
    { name: "Elite", kind: "NORMAL", threshold: 10000n },
    { name: "Officer", kind: "STAFF" },
    { name: "Chief", kind: "OWNER" },
  ],
  xpFloor: 0n,
  xpCap: XP_MAX,
  amountMax: AMOUNT_MAX_DEFAULT,
};

function inDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function deleteFromRedis(url: string, namespace: string): Promise<void> {
  const redis = openTestRedis(url);
  const names = await redis.keys(`${namespace}*`);
  if (names.length > 0) await redis.del(...names);
  redis.disconnect();
}
