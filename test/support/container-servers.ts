// MongoDB and Redis from Testcontainers, on a Docker engine instead of this machine. Image names come from the
// environment; the official images are the default.
import { setTimeout as pause } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { GenericContainer, Wait, type StartedNetwork, type StartedTestContainer } from "testcontainers";

/**
 * What a killed run left is found by it. scripts/containers/run-containers.ts names the run, for Compose and for us.
 */
export const LABELS = { "clanxp.test": process.env["COMPOSE_PROJECT_NAME"] ?? "clanxp-test" };
const PRIMARY_POLL_MS = 50;

export type ContainerServer = { container: StartedTestContainer; /** As this process reaches it. */ url: string };

const mongoImage = (): string => process.env["MONGO_IMAGE"] ?? "mongo:8.0";
const NODE_OPTIONS = ["--wiredTigerCacheSizeGB", "0.5", "--setParameter", "transactionLifetimeLimitSeconds=10"];

export type MongoContainers = ContainerServer & { shards: readonly ContainerServer[]; stop(): Promise<void> };

/** A replica set of one, known as `mongo` in `network`. Ready to write. */
export async function startMongoContainer(network?: StartedNetwork): Promise<MongoContainers> {
  const server = await startMongo("mongo", ["mongod", "--replSet", "rs0", ...NODE_OPTIONS], network);
  await makePrimary(server.url, { _id: "rs0", host: network ? "mongo:27017" : "127.0.0.1:27017" });
  return { ...server, shards: [], stop: async () => void (await server.container.stop()) };
}

/** A router, known as `mongo` in `network`, before two shards. */
export async function startRouterContainer(network: StartedNetwork): Promise<MongoContainers> {
  async function startNode(name: string, role: "--configsvr" | "--shardsvr"): Promise<ContainerServer> {
    const server = await startMongo(name, ["mongod", role, "--replSet", name, ...NODE_OPTIONS], network);
    await makePrimary(server.url, { _id: name, host: `${name}:27017` });
    return server;
  }
  const [config, ...shards] = await Promise.all([
    startNode("config", "--configsvr"),
    startNode("shard-0", "--shardsvr"),
    startNode("shard-1", "--shardsvr"),
  ]);
  const router = await startMongo("mongo", ["mongos", "--configdb", "config/config:27017"], network);
  const client = await new MongoClient(router.url).connect();
  for (const name of ["shard-0", "shard-1"])
    await client.db("admin").command({ addShard: `${name}/${name}:27017`, name });
  await client.close();
  return {
    ...router,
    shards,
    async stop() {
      await Promise.allSettled([router, config, ...shards].map(({ container }) => container.stop()));
    },
  };
}

async function startMongo(
  name: string,
  command: readonly string[],
  network: StartedNetwork | undefined,
): Promise<ContainerServer> {
  const container = await inNetwork(new GenericContainer(mongoImage()), name, network)
    .withCommand([...command, "--bind_ip_all", "--port", "27017"])
    .withExposedPorts(27017)
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
  // The name in the set is for those inside; from here it is always this one server.
  return {
    container,
    url: `mongodb://${container.getHost()}:${container.getMappedPort(27017)}/?directConnection=true`,
  };
}

/** Append-only and evicting nothing, known as `redis` in `network`. */
export async function startRedisContainer(network?: StartedNetwork): Promise<ContainerServer> {
  const options = ["--appendonly", "yes", "--maxmemory-policy", "noeviction", "--protected-mode", "no"];
  const container = await inNetwork(new GenericContainer(process.env["REDIS_IMAGE"] ?? "redis:8"), "redis", network)
    .withCommand(["redis-server", ...options])
    .withExposedPorts(6379)
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
  return { container, url: `redis://${container.getHost()}:${container.getMappedPort(6379)}` };
}

function inNetwork(container: GenericContainer, alias: string, network: StartedNetwork | undefined): GenericContainer {
  container.withLabels(LABELS);
  return network ? container.withNetwork(network).withNetworkAliases(alias) : container;
}

async function makePrimary(url: string, { _id, host }: { _id: string; host: string }): Promise<void> {
  const client = await new MongoClient(url).connect();
  const admin = client.db("admin");
  await admin.command({ replSetInitiate: { _id, members: [{ _id: 0, host }] } });
  while (!(await admin.command({ hello: 1 }))["isWritablePrimary"]) await pause(PRIMARY_POLL_MS);
  await client.close();
}
