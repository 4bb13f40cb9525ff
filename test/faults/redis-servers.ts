// Redis under Sentinel and as a Cluster, as real processes: redis-server has both modes.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { cacheDir } from "../../scripts/paths.js";
import { findServer } from "../../scripts/servers/find-server.ts";
import { servers } from "../../scripts/servers/providers.ts";
import { freePort } from "../../scripts/services/ports.ts";
import { until } from "../support/until.ts";

type Server = { port: number; child: ChildProcess };
export type RedisServers = { url: string; killMaster(): Promise<void>; close(): Promise<void> };

/** After this time without a reply, Sentinel considers the master dead. */
const DOWN_MS = 1_000;
const NODES = 3;
const SLOTS = 16_384;

/** A master with one replica, and a Sentinel; the URL names another one, too, that does not exist. */
export async function startSentinel(): Promise<RedisServers> {
  const { folder, start, close } = makeServers();
  const master = await start("master", []);
  await start("replica", ["--replicaof", "127.0.0.1", String(master.port)]);
  const [port, nobody] = [await freePort(), await freePort()];
  const file = join(folder, "sentinel.conf");
  const lines = [
    `port ${port}`,
    "bind 127.0.0.1",
    `dir ${folder}`,
    `sentinel monitor mymaster 127.0.0.1 ${master.port} 1`,
    `sentinel down-after-milliseconds mymaster ${DOWN_MS}`,
    "sentinel failover-timeout mymaster 5000",
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  const sentinel = await start("sentinel", [file, "--sentinel"], port);
  await until(async () => {
    const replicas = await ask(sentinel, (redis) => redis.call("SENTINEL", "replicas", "mymaster"));
    return Array.isArray(replicas) && JSON.stringify(replicas).includes('"master-link-status","ok"');
  });
  return {
    url: `redis+sentinel://127.0.0.1:${nobody},127.0.0.1:${port}/mymaster`,
    async killMaster() {
      const ended = once(master.child, "exit");
      master.child.kill("SIGKILL");
      await ended;
    },
    close,
  };
}

/** Three masters. The URL names one of them, and a node that does not exist. */
export async function startCluster(): Promise<Omit<RedisServers, "killMaster">> {
  const { start, close } = makeServers();
  const nodes: Server[] = [];
  for (let index = 0; index < NODES; index += 1) {
    const bus = await freePort();
    const options = ["--cluster-enabled", "yes", "--cluster-port", String(bus), "--cluster-node-timeout", "2000"];
    const node = await start(`node-${index}`, options);
    const [from, to] = [index, index + 1].map((share) => Math.floor((SLOTS * share) / NODES));
    await ask(node, (redis) => redis.call("CLUSTER", "ADDSLOTSRANGE", String(from), String((to ?? 0) - 1)));
    const [first] = nodes;
    nodes.push(node);
    if (first) await ask(first, (redis) => redis.call("CLUSTER", "MEET", "127.0.0.1", String(node.port), String(bus)));
  }
  for (const node of nodes) {
    await until(async () => {
      const info = await ask(node, (redis) => redis.cluster("INFO"));
      return info.includes("cluster_state:ok") && info.includes(`cluster_known_nodes:${NODES}`);
    });
  }
  return { url: `redis+cluster://127.0.0.1:${await freePort()},127.0.0.1:${nodes.at(-1)?.port}`, close };
}

function makeServers() {
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
      const own = ["--port", String(port), "--bind", "127.0.0.1", "--dir", dir, "--save", "", "--appendonly", "yes"];
      const args = givenPort === undefined ? [...own, "--repl-diskless-sync-delay", "0", ...options] : options;
      const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: "ignore" });
      const server = { port, child };
      all.push(server);
      await until(() => ask(server, (redis) => redis.ping()).then(Boolean, () => false));
      return server;
    },
    async close() {
      for (const { child } of all) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const ended = once(child, "exit");
        child.kill("SIGKILL");
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Asks one server, whatever it is to the others. */
async function ask<T>({ port }: Server, question: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(port, "127.0.0.1", { lazyConnect: true, retryStrategy: () => null, enableReadyCheck: false });
  redis.on("error", () => {});
  try {
    await redis.connect();
    return await question(redis);
  } finally {
    redis.disconnect();
  }
}
