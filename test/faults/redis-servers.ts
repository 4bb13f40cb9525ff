// Redis under Sentinel and as a Cluster, as real processes: redis-server has both modes.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import type { Certificates } from "../tls/certificates.ts";
import { cacheDir } from "../../scripts/paths.js";
import { findServer } from "../../scripts/servers/find-server.ts";
import { servers } from "../../scripts/servers/providers.ts";
import { freePort } from "../../scripts/services/ports.ts";
import { until } from "../support/until.ts";

type Access = { username?: string; password?: string; tls?: { ca: Buffer } };
/** `access`: how its administrator connects to it. */
type Server = { port: number; child: ChildProcess; access: Access; start(): ChildProcess };

/**
 * TLS alone, and users with passwords: the one of the product, on the data with these rights and on a Sentinel with
 * those, and an administrator.
 */
export type Security = {
  certificates: Certificates;
  user: string;
  password: string;
  rights: readonly string[];
  sentinelRights: readonly string[];
};

/** After this time without a reply, Sentinel considers the master dead. */
const DOWN_MS = 1_000;
const ADMIN = "admin";
const NODES = 3;
const SLOTS = 16_384;
const KEYS_PER_MOVE = 100;

export type SentinelServers = {
  url: string;
  /** Sentinel promotes the replica, and the old master follows it. Resolves when it does. */
  failOver(): Promise<void>;
  /** The master is stopped until Sentinel has promoted the replica, and then goes on as a master, for some 20 s. */
  partitionMaster(): Promise<void>;
  killMaster(): Promise<void>;
  killSentinel(): Promise<void>;
  restartSentinel(): Promise<void>;
  close(): Promise<void>;
};

/** A master with two replicas, and a Sentinel; the URL names another one, too, that does not exist. */
export async function startSentinel(security: Security | null = null): Promise<SentinelServers> {
  const { folder, start, close } = makeServers(security);
  const first = await start("first", []);
  const replicaOfFirst = ["--replicaof", "127.0.0.1", String(first.port)];
  const all = [first, await start("second", replicaOfFirst), await start("third", replicaOfFirst)];
  const [port, nobody] = [await freePort(), await freePort()];
  const file = join(folder, "sentinel.conf");
  const lines = [
    ...(security ? securedSentinel(security, port) : [`port ${port}`]),
    "bind 127.0.0.1",
    `dir ${folder}`,
    `sentinel monitor mymaster 127.0.0.1 ${first.port} 1`,
    ...(security ? [`sentinel auth-user mymaster ${ADMIN}`, `sentinel auth-pass mymaster ${security.password}`] : []),
    `sentinel down-after-milliseconds mymaster ${DOWN_MS}`,
    // Twice this must pass between two failovers.
    "sentinel failover-timeout mymaster 1000",
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  const sentinel = await start("sentinel", [file, "--sentinel"], port);
  const replicaFollows = (): Promise<void> =>
    until(async () => {
      const replicas = await ask(sentinel, (redis) => redis.call("SENTINEL", "replicas", "mymaster"));
      return JSON.stringify(replicas).includes('"master-link-status","ok"');
    });
  await replicaFollows();

  async function master(): Promise<Server> {
    const address = await ask(sentinel, (redis) => redis.call("SENTINEL", "get-master-addr-by-name", "mymaster"));
    const named = all.find(({ port: own }) => String(own) === (address as string[])[1]);
    if (!named) throw new Error(`Sentinel names another master: ${String(address)}`);
    return named;
  }
  const isReplaced = (old: Server): Promise<void> => until(async () => (await master()) !== old);

  return {
    url: `${schemeOf("sentinel", security)}127.0.0.1:${nobody},127.0.0.1:${port}/mymaster`,
    async failOver() {
      const old = await master();
      await until(() =>
        ask(sentinel, (redis) => redis.call("SENTINEL", "failover", "mymaster")).then(
          () => true,
          // Too soon after the previous one.
          () => false,
        ),
      );
      await isReplaced(old);
      await replicaFollows();
    },
    async partitionMaster() {
      await replicaFollows();
      const old = await master();
      old.child.kill("SIGSTOP");
      await isReplaced(old);
      old.child.kill("SIGCONT");
    },
    async killMaster() {
      await replicaFollows();
      await kill(await master());
    },
    killSentinel: () => kill(sentinel),
    async restartSentinel() {
      sentinel.child = sentinel.start();
      await responds(sentinel);
    },
    close,
  };
}

export type ClusterServers = {
  url: string;
  /** Moves the slot of the key, with every key in it, to another master. */
  moveSlot(key: string): Promise<void>;
  /** The replica of the master that owns the slot of the key takes over, and the old master follows it. */
  failOver(key: string): Promise<void>;
  /** Kills the master that owns the slot of the key. */
  killOwner(key: string): Promise<void>;
  close(): Promise<void>;
};

/** Three masters with one replica each. The URL names one of them, and a node that does not exist. */
export async function startCluster(security: Security | null = null): Promise<ClusterServers> {
  const { start, close } = makeServers(security);
  const nodes: Server[] = [];
  for (let index = 0; index < 2 * NODES; index += 1) {
    const bus = await freePort();
    const options = ["--cluster-enabled", "yes", "--cluster-port", String(bus), "--cluster-node-timeout", "2000"];
    const node = await start(`node-${index}`, [...options, "--cluster-migration-barrier", "10"]);
    const [first] = nodes;
    nodes.push(node);
    if (first) await ask(first, (redis) => redis.call("CLUSTER", "MEET", "127.0.0.1", String(node.port), String(bus)));
    if (index >= NODES) continue;
    const [from, to] = [index, index + 1].map((share) => Math.floor((SLOTS * share) / NODES));
    await ask(node, (redis) => redis.call("CLUSTER", "ADDSLOTSRANGE", String(from), String((to ?? 0) - 1)));
  }
  const info = (node: Server): Promise<string> =>
    ask(node, (redis) => redis.call("CLUSTER", "INFO") as Promise<string>);
  const idOf = (node: Server): Promise<string> =>
    ask(node, (redis) => redis.call("CLUSTER", "MYID") as Promise<string>);
  for (const node of nodes) await until(async () => (await info(node)).includes(`cluster_known_nodes:${2 * NODES}`));
  for (const [index, node] of nodes.slice(NODES).entries()) {
    const id = await idOf(existing(nodes[index]));
    await until(() => ask(node, (redis) => redis.call("CLUSTER", "REPLICATE", id)).then(Boolean, () => false));
  }
  for (const node of nodes) await until(async () => (await info(node)).includes("cluster_state:ok"));
  const follows = (node: Server): Promise<void> =>
    until(async () => (await ask(node, (redis) => redis.info("replication"))).includes("master_link_status:up"));
  for (const node of nodes.slice(NODES)) await follows(node);

  const isMaster = (node: Server): Promise<boolean> =>
    ask(node, (redis) => redis.role()).then(([is]) => is === "master");
  /** The master of the slot, and its replica. */
  async function shardOf(key: string): Promise<{ slot: string; master: Server; replica: Server }> {
    const slot = await ask(existing(nodes[0]), (redis) => redis.cluster("KEYSLOT", key));
    const running = nodes.filter(({ child }) => child.signalCode === null);
    for (const master of running) {
      const role = (await ask(master, (redis) => redis.role())) as [string, number, [string, string][]];
      const ranges = await ask(master, (redis) => redis.cluster("SLOTS"));
      const own = ranges.find(([from, to]) => from <= slot && slot <= to);
      if (role[0] !== "master" || own?.[2]?.[1] !== master.port) continue;
      const replica = running.find(({ port }) => role[2].some(([, at]) => at === String(port)));
      if (replica) return { slot: String(slot), master, replica };
    }
    // A failover is in progress, as after a pause of a node.
    return shardOf(key);
  }

  return {
    url: `${schemeOf("cluster", security)}127.0.0.1:${await freePort()},127.0.0.1:${nodes[1]?.port}`,
    async moveSlot(key) {
      const { slot, master } = await shardOf(key);
      const others: Server[] = [];
      for (const node of nodes) if (node !== master && (await isMaster(node))) others.push(node);
      const target = existing(others[0]);
      const [fromId, toId] = [await idOf(master), await idOf(target)];
      await ask(target, (redis) => redis.call("CLUSTER", "SETSLOT", slot, "IMPORTING", fromId));
      await ask(master, (redis) => redis.call("CLUSTER", "SETSLOT", slot, "MIGRATING", toId));
      for (;;) {
        const keys = await ask(
          master,
          (redis) => redis.call("CLUSTER", "GETKEYSINSLOT", slot, String(KEYS_PER_MOVE)) as Promise<string[]>,
        );
        if (keys.length === 0) break;
        const to = ["127.0.0.1", String(target.port), "", "0", "5000", "KEYS", ...keys];
        await ask(master, (redis) => redis.call("MIGRATE", ...to));
      }
      for (const node of [target, master, ...others.slice(1)])
        await ask(node, (redis) => redis.call("CLUSTER", "SETSLOT", slot, "NODE", toId));
    },
    async failOver(key) {
      const { master, replica } = await shardOf(key);
      await ask(replica, (redis) => redis.call("CLUSTER", "FAILOVER"));
      await follows(master);
    },
    killOwner: async (key) => kill((await shardOf(key)).master),
    close,
  };
}

/** What a URL begins with. */
function schemeOf(kind: "sentinel" | "cluster", security: Security | null): string {
  return security ? `rediss+${kind}://${security.user}:${security.password}@` : `redis+${kind}://`;
}

function tlsOf({ ca, cert, key }: Certificates, port: number): [option: string, value: string][] {
  return [
    ["port", "0"],
    ["tls-port", String(port)],
    ["tls-cert-file", cert],
    ["tls-key-file", key],
    ["tls-ca-cert-file", ca],
    ["tls-auth-clients", "no"],
    ["tls-replication", "yes"],
  ];
}

function securedRedis({ certificates, user, password, rights }: Security, port: number): string[] {
  const tls = tlsOf(certificates, port).flatMap(([option, value]) => [`--${option}`, value]);
  return [
    [...tls, "--tls-cluster", "yes", "--masteruser", ADMIN, "--masterauth", password],
    ["--user", "default", "off", "--user", ADMIN, "on", `>${password}`, "~*", "&*", "+@all"],
    ["--user", user, "on", `>${password}`, ...rights],
  ].flat();
}

function securedSentinel({ certificates, user, password, sentinelRights }: Security, port: number): string[] {
  return [
    ...tlsOf(certificates, port).map((setting) => setting.join(" ")),
    "user default off",
    `user ${ADMIN} on >${password} allchannels +@all`,
    `user ${user} on >${password} ${sentinelRights.join(" ")}`,
  ];
}

function makeServers(security: Security | null) {
  const folder = mkdtempSync(join(tmpdir(), "clanxp-redis-"));
  const all: Server[] = [];
  return {
    folder,
    /** Starts a server, and waits until it responds. */
    async start(name: string, options: string[], givenPort?: number): Promise<Server> {
      const { command, env } = await findServer(servers.redis, { cacheDir, log: () => {} });
      const port = givenPort ?? (await freePort());
      const dir = join(folder, name);
      mkdirSync(dir);
      const address = security ? securedRedis(security, port) : ["--port", String(port)];
      const own = [...address, "--bind", "127.0.0.1", "--dir", dir, "--save", "", "--appendonly", "yes"];
      const args = givenPort === undefined ? [...own, "--repl-diskless-sync-delay", "0", ...options] : options;
      const begin = (): ChildProcess => spawn(command, args, { env: { ...process.env, ...env }, stdio: "ignore" });
      const access = security
        ? { username: ADMIN, password: security.password, tls: { ca: readFileSync(security.certificates.ca) } }
        : {};
      const server: Server = { port, access, start: begin, child: begin() };
      all.push(server);
      await responds(server);
      return server;
    },
    async close() {
      for (const server of all) await kill(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const responds = (server: Server): Promise<void> =>
  until(() => ask(server, (redis) => redis.ping()).then(Boolean, () => false));

function existing(server: Server | undefined): Server {
  if (server) return server;
  throw new Error("there is no such server");
}

async function kill({ child }: Server): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** Asks one server, whatever it is to the others. */
async function ask<T>({ port, access }: Server, question: (redis: Redis) => Promise<T>): Promise<T> {
  const options = { ...access, lazyConnect: true, retryStrategy: () => null, enableReadyCheck: false };
  const redis = new Redis(port, "127.0.0.1", options);
  redis.on("error", () => {});
  try {
    await redis.connect();
    return await question(redis);
  } finally {
    redis.disconnect();
  }
}
