// This service as a subject: its API and its worker as they are deployed, and variants of the API with one part
// switched.
import { awardIdOf } from "#contract/award-id.ts";
import { AMOUNT_MAX_DEFAULT, XP_MAX } from "#domain/bounds.ts";
import type { Clan } from "#domain/clan.ts";
import type { Rank } from "#domain/rank.ts";
import { PER_SECOND_MAX, type KeyLimits } from "#domain/key-limits.ts";
import { SCOPES_DEFAULT } from "#domain/scope.ts";
import { systemClock } from "#process/clock.ts";
import { crc32, digest, randomText } from "#process/secrets.ts";
import { makeReconcileStore } from "#operations/store/reconcile-store.ts";
import { makeClanStore } from "#clans/store/clan-store.ts";
import { reachDatabase } from "#composition/open-database.ts";
import type { Database } from "#mongo/database.ts";
import { makeKeyStore } from "#keys/store/key-store.ts";
import { makeCreateKey } from "#keys/create-key.ts";
import { PROJECTION_AGE_MAX_MS } from "#ledger/bounds.ts";
import { makeReconcile } from "#operations/reconcile.ts";
import { freePort } from "../../scripts/services/ports.ts";
import { nodeOptions } from "../../scripts/supervise/node-options.ts";
import { until } from "../../test/support/until.ts";
import { AMOUNT } from "../load/plan.ts";
import { startNode, untilListening, type Started } from "../processes.ts";
import type { Servers } from "../servers.ts";
import { insertMembers, readMongoTotals } from "./mongo-books.ts";
import type { Subject } from "./subject.ts";
import { testActor } from "../../test/support/actor.ts";
import { silentLog } from "../../test/support/silent-log.ts";

const REACH_MS = 20_000;
/** Members' documents follow the ledger within some seconds; on a machine that was busy a moment ago, in more. */
export const TOTALS_LAG_MS = 15_000;
const CLANS_DEFAULT = 10;
export const MEMBERS = 10_000;
/** Counted as any key's are, and never reached. */
const LIMITS_HIGH: Partial<KeyLimits> = { requestsPerSecond: PER_SECOND_MAX, awardsPerSecond: PER_SECOND_MAX };
const LIMITS_NONE: Partial<KeyLimits> = { requestsPerSecond: null, awardsPerSecond: null };

export type Variant = {
  /** Of the database and the line in reports. */
  name: string;
  /** Without the events of awards, or without its lock. */
  part?: "no-events" | "no-lock";
  limits?: "none";
  /** Processes of the API behind one port, each of which takes connections in turn. */
  apis?: number;
  clans?: number;
  members?: number;
  /** Longer than it takes until documents are written at the rate of the awards. */
  settlesInMs?: number;
  /** Other servers than the bench's own, as they are reached. */
  mongoUrl?: string;
  redisUrl?: string;
  /** Fills the database with more than the usual 10,000 members. Answers how many. */
  fill?: (database: Database, clanIds: readonly string[]) => Promise<number>;
};

export type Ours = Subject & { database: Database; startWorker(): Promise<void> };

/** Starts the API; `startWorker` starts its worker. */
export async function startOurs(servers: Servers, variant: Variant): Promise<Ours> {
  const name = `bench-${variant.name}`;
  await servers.mongo.db(name).dropDatabase();
  const database = await reachDatabase({
    url: servers.mongoUrl(name),
    name: "bench",
    log: silentLog,
    withinMs: REACH_MS,
    prepare: true,
  });
  const clans = await makeClans(database, variant);
  const clanIds = clans.map(({ clanId }) => clanId);
  const membersTotal = variant.fill ? await variant.fill(database, clanIds) : (variant.members ?? MEMBERS);
  if (!variant.fill) await insertMembers(database.db(), { clanIds, total: membersTotal });

  const env = {
    MONGO_URL: variant.mongoUrl ?? servers.mongoUrl(name),
    REDIS_URL: variant.redisUrl ?? servers.redisUrl,
    LOG_LEVEL: "error",
  };
  const apis = await Promise.all(Array.from({ length: variant.apis ?? 1 }, () => startApi(env, variant.part)));
  const balancer = apis.length > 1 ? await startBalancer(apis) : null;
  const port = balancer?.port ?? apis[0]?.port ?? 0;
  const processes = [...apis.map(({ process }) => process), ...(balancer ? [balancer.process] : [])];
  const pids: Subject["pids"] = {
    api: apis.map(({ process }) => process.pid),
    mongod: [servers.pids.mongod],
    redis: [servers.pids.redis],
  };
  return {
    port,
    clans,
    membersTotal,
    pids,
    database,
    generator: null,
    async startWorker() {
      const opsPort = await freePort();
      const worker = startNode("apps/worker/main.ts", { ...env, OPS_PORT: String(opsPort) }, nodeOptions.worker);
      processes.push(worker);
      pids.worker = [worker.pid];
      await untilListening(worker, opsPort);
    },
    ...(balancer ? { readConflicts: () => readConflicts(apis) } : {}),
    settlesInMs: variant.settlesInMs ?? PROJECTION_AGE_MAX_MS,
    totalsLagMs: TOTALS_LAG_MS,
    readTotals: () => requestProjection(port, clans).then(() => readMongoTotals(database.db(), { hasLedger: true })),
    verify: () => verifyLedger(database),
    async close() {
      await Promise.all(processes.map((one) => one.stop()));
      await database.db().dropDatabase();
      await database.close();
    },
  };
}

type Listening = { process: Started; port: number; opsPort: number };

async function startApi(env: Record<string, string>, part: Variant["part"]): Promise<Listening> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const file = part ? "bench/subjects/switched-api.ts" : "apps/api/main.ts";
  const ports = { PORT: String(port), OPS_PORT: String(opsPort) };
  const process = startNode(file, { ...env, ...(part ? { BENCH_PART: part } : {}), ...ports }, nodeOptions.api);
  await untilListening(process, port);
  // Its ops port may not listen yet.
  await until(() =>
    fetch(`http://127.0.0.1:${opsPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return { process, port, opsPort };
}

async function startBalancer(apis: readonly Listening[]): Promise<Omit<Listening, "opsPort">> {
  const port = await freePort();
  const env = { PORT: String(port), TARGET_PORTS: apis.map((api) => api.port).join(",") };
  const process = startNode("bench/subjects/round-robin.ts", env);
  await untilListening(process, port);
  return { process, port };
}

/**
 * Before a list of members is read, every process projects what it holds of the clan. Whatever that lacks comes within
 * BOOKS_LAG_MS.
 */
export async function requestProjection(port: number, clans: Subject["clans"]): Promise<void> {
  const lists = clans.map(async ({ clanId, secret }) => {
    const answer = await fetch(`http://127.0.0.1:${port}/v0/clans/${clanId}/members?limit=1`, {
      headers: { "api-key": secret },
    });
    await answer.text();
  });
  await Promise.allSettled(lists);
}

async function readConflicts(apis: readonly Listening[]): Promise<number> {
  const counts = await Promise.all(
    apis.map(async ({ opsPort }) => {
      const response = await fetch(`http://127.0.0.1:${opsPort}/metrics`);
      return Number(/^clanxp_commits_total\{result="conflict"[^}]*\} (\d+)$/m.exec(await response.text())?.[1]);
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

async function makeClans(
  database: Database,
  { limits, clans: count = CLANS_DEFAULT }: Pick<Variant, "limits" | "clans">,
): Promise<Subject["clans"]> {
  const [clans, keys] = [makeClanStore(database), makeKeyStore(database)];
  const createKey = makeCreateKey({ clans, keys, clock: systemClock, digest, crc32, randomText });
  const made: { clanId: string; secret: string }[] = [];
  for (let index = 0; index < count; index += 1) {
    const clanId = `clan-${index}`;
    await clans.create({ ...CLAN, clanId, ranks: ranksOf(index, CLANS_DEFAULT) }, testActor);
    const issued = await createKey({ clanId, name: "bench", scopes: SCOPES_DEFAULT, expiresAt: null }, testActor);
    if (issued.kind !== "issued") throw new Error(issued.detail);
    await keys.limit(issued.key.keyId, limits === "none" ? LIMITS_NONE : LIMITS_HIGH, testActor);
    made.push({ clanId, secret: issued.secret });
  }
  return made;
}

const RANKS = 40;
/** Awards of a member from one rank to the next: one award in a hundred changes a rank. */
const RANK_EVERY = 100;

/**
 * Of one of so many clans. Members have about as many awards at a time, so the clans reach their ranks one after the
 * other.
 */
export function ranksOf(clan: number, clans: number): Rank[] {
  const first = Math.round((RANK_EVERY * (clan + 1)) / clans);
  const normal = Array.from({ length: RANKS }, (_, index): Rank => {
    const awards = first + RANK_EVERY * index;
    return { name: `Rank ${index + 1}`, kind: "NORMAL", threshold: BigInt(AMOUNT * awards) };
  });
  return [{ name: "Guest", kind: "GUEST" }, ...normal];
}

const CLAN: Omit<Clan, "clanId" | "ranks"> = {
  name: "Bench",
  autoClan: true,
  xpFloor: 0n,
  xpCap: XP_MAX,
  amountMax: AMOUNT_MAX_DEFAULT,
};

async function verifyLedger(database: Database): Promise<string | null> {
  const report = await makeReconcile({ store: makeReconcileStore(database), awardIdOf })({ clanId: null });
  const [first] = report.differences;
  return first
    ? `reconcile finds ${report.differencesTotal} differences, the first: ${first.kind}, ${first.detail}`
    : null;
}
