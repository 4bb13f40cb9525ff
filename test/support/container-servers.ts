// MongoDB and Redis from Testcontainers, on a Docker engine instead of this machine. Image names come from the
// environment; the official images are the default.
import { setTimeout as pause } from "node:timers/promises";
import mongoose from "mongoose";
import { GenericContainer, Wait, type StartedNetwork, type StartedTestContainer } from "testcontainers";

/**
 * What a killed run left is found by it. scripts/containers/run-containers.ts names the run, for Compose and for us.
 */
export const LABELS = { "clanxp.test": process.env["COMPOSE_PROJECT_NAME"] ?? "clanxp-test" };
const PRIMARY_POLL_MS = 50;

export type ContainerServer = { container: StartedTestContainer; /** As this process reaches it. */ url: string };

/** A replica set of one, known as `mongo` in `network`. Ready to write. */
export async function startMongoContainer(network?: StartedNetwork): Promise<ContainerServer> {
  const options = [
    "--replSet",
    "rs0",
    "--bind_ip_all",
    "--wiredTigerCacheSizeGB",
    "0.5",
    "--setParameter",
    "transactionLifetimeLimitSeconds=10",
  ];
  const container = await inNetwork(new GenericContainer(process.env["MONGO_IMAGE"] ?? "mongo:8.0"), "mongo", network)
    .withCommand(["mongod", ...options])
    .withExposedPorts(27017)
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
  // The name in the set is for those inside; from here it is always this one server.
  const url = `mongodb://${container.getHost()}:${container.getMappedPort(27017)}/?directConnection=true`;
  await makePrimary(url, network ? "mongo:27017" : "127.0.0.1:27017");
  return { container, url };
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

async function makePrimary(url: string, host: string): Promise<void> {
  const client = await new mongoose.mongo.MongoClient(url).connect();
  const admin = client.db("admin");
  await admin.command({ replSetInitiate: { _id: "rs0", members: [{ _id: 0, host }] } });
  while (!(await admin.command({ hello: 1 }))["isWritablePrimary"]) await pause(PRIMARY_POLL_MS);
  await client.close();
}
