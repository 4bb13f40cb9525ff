// APIs and workers of the product's own image on one Docker network with MongoDB and Redis, as an operator would run
// them.
import { GenericContainer, getContainerRuntimeClient, Network, Wait, type StartedTestContainer } from "testcontainers";
import { expect } from "vitest";
import { SCOPES_DEFAULT } from "#domain/scope.ts";
import { systemClock } from "#process/clock.ts";
import { crc32, digest, randomText } from "#process/secrets.ts";
import { makeClanStore } from "#clans/store/clan-store.ts";
import { openDatabase } from "#composition/open-database.ts";
import type { Database } from "#mongo/database.ts";
import { makeKeyStore } from "#keys/store/key-store.ts";
import { makeCreateKey } from "#keys/create-key.ts";
import { ANSWER_MS_MAX, type Target } from "../faults/send.ts";
import {
  LABELS,
  startMongoContainer,
  startRedisContainer,
  startRouterContainer,
} from "../support/container-servers.ts";
import { autoClan, testLog } from "../support/world.ts";
import { testActor } from "../support/actor.ts";

export type Role = "api" | "worker";
export type Process = { container: StartedTestContainer; role: Role; image: string };

/** The tag that is rolled out first, and the one that follows it. */
export const images = {
  one: process.env["CLANXP_IMAGE"] ?? "clanxp-test:one",
  two: process.env["CLANXP_NEXT_IMAGE"] ?? "clanxp-test:two",
};

export type Fleet = {
  database: Database;
  redis: StartedTestContainer;
  /** URLs of the shards, without the router. */
  shards: readonly string[];
  running(role: Role): readonly Process[];
  /** Ready when it resolves. */
  add(role: Role, image?: string): Promise<Process>;
  /**
   * As a balancer and an orchestrator end it: nothing new is sent there, what was sent is answered, then SIGTERM. A
   * request that the engine's proxy still holds would find its connection closed. Answers its exit code.
   */
  retire(process: Process): Promise<number>;
  kill(process: Process): Promise<void>;
  cutOff(container: StartedTestContainer): Promise<void>;
  /** `alias`: the name it had in the network. */
  reconnect(container: StartedTestContainer, alias?: string): Promise<void>;
  /** A new clan, served by every API that is running at the time of a request. */
  makeTarget(): Promise<Target>;
  close(): Promise<void>;
};

const HOUR_MS = 3_600_000;

/** APIs and workers of the first image. `routed`: MongoDB is a router before two shards. */
type FleetOptions = { apis: number; workers: number; routed?: boolean };

export async function startFleet({ apis, workers, routed = false }: FleetOptions): Promise<Fleet> {
  const engine = (await getContainerRuntimeClient()).container;
  const network = await new Network().start();
  const [mongo, redis] = await Promise.all([
    routed ? startRouterContainer(network) : startMongoContainer(network),
    startRedisContainer(network),
  ]);
  const database = openDatabase({ url: mongo.url.replace("/?", "/clanxp?"), name: "clanxp-test", log: testLog });
  await database.ready;
  if (routed) await shardCollections(database);
  const all = new Set<Process>();
  /** Requests by the URL of their API. */
  const inProgress = new Map<string, number>();
  const running = (role: Role): Process[] => [...all].filter((process) => process.role === role);

  async function add(role: Role, image = images.one): Promise<Process> {
    const container = await new GenericContainer(image)
      .withLabels(LABELS)
      .withNetwork(network)
      .withEnvironment({
        MONGO_URL: `mongodb://mongo:27017/clanxp${routed ? "" : "?replicaSet=rs0"}`,
        REDIS_URL: "redis://redis:6379",
        LOG_LEVEL: "warn",
      })
      .withCommand(["node", `apps/${role}/main.ts`])
      .withExposedPorts(8080, 9090)
      .withWaitStrategy(Wait.forHttp("/readyz", 9090))
      // Nobody reads it here, and the image's own starts a Node process in each container every 5 s.
      .withHealthCheck({ test: ["CMD", "true"], interval: HOUR_MS })
      .start();
    const added = { container, role, image };
    all.add(added);
    return added;
  }

  async function endBy(signal: "SIGTERM" | "SIGKILL", process: Process): Promise<number> {
    all.delete(process);
    const container = engine.getById(process.container.getId());
    const ended = container.wait();
    await container.kill({ signal });
    const { StatusCode } = (await ended) as { StatusCode: number };
    await container.remove({ force: true, v: true });
    return StatusCode;
  }

  function began(baseUrl: string): () => void {
    const change = (by: number): void => void inProgress.set(baseUrl, (inProgress.get(baseUrl) ?? 0) + by);
    change(1);
    return () => change(-1);
  }

  const adding = [
    ...Array.from({ length: apis }, () => "api" as const),
    ...Array.from({ length: workers }, () => "worker" as const),
  ];
  await Promise.all(adding.map((role) => add(role)));

  return {
    database,
    redis: redis.container,
    shards: mongo.shards.map(({ url }) => url),
    running,
    add,
    async retire(process) {
      all.delete(process);
      const url = urlOf(process);
      await expect.poll(() => inProgress.get(url) ?? 0, { timeout: ANSWER_MS_MAX }).toBe(0);
      return endBy("SIGTERM", process);
    },
    kill: async (process) => void (await endBy("SIGKILL", process)),
    cutOff: (container) =>
      engine.dockerode.getNetwork(network.getId()).disconnect({ Container: container.getId(), Force: true }),
    reconnect: (container, alias) =>
      engine.dockerode
        .getNetwork(network.getId())
        .connect({ Container: container.getId(), EndpointConfig: { Aliases: alias === undefined ? [] : [alias] } }),
    async makeTarget() {
      const clanId = `containers-${randomText(10)}`;
      const [clans, keys] = [makeClanStore(database), makeKeyStore(database)];
      await clans.create({ ...autoClan, clanId }, testActor);
      const issued = await makeCreateKey({ clans, keys, clock: systemClock, digest, crc32, randomText })(
        { clanId, name: "containers", scopes: SCOPES_DEFAULT, expiresAt: null },
        testActor,
      );
      if (issued.kind !== "issued") throw new Error(issued.detail);
      return { clanId, key: issued.secret, baseUrls: () => running("api").map(urlOf), began };
    },
    async close() {
      await database.close();
      await Promise.allSettled([
        ...[...all].map(({ container }) => container.stop()),
        mongo.stop(),
        redis.container.stop(),
      ]);
      await network.stop();
    },
  };
}

/** As docs/how-to/scale-mongodb.md does, while the collections are empty. */
async function shardCollections({ db }: Database): Promise<void> {
  const admin = db().client.db("admin");
  const name = db().databaseName;
  await admin.command({ enableSharding: name });
  await admin.command({ shardCollection: `${name}.ledger`, key: { "_id.clanId": "hashed" } });
  await admin.command({ shardCollection: `${name}.members`, key: { _id: 1 } });
}

export function urlOf({ container }: Process): string {
  return `http://${container.getHost()}:${container.getMappedPort(8080)}`;
}
