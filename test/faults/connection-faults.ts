// Faults of the connections of one API and one worker of a cluster, and of the callers of that API.
import { setTimeout as pause } from "node:timers/promises";
import { AWARD_DEADLINE_MS } from "#ledger/bounds.ts";
import type { TcpProxy } from "../support/tcp-proxy.ts";
import { STOPPED_MS, type Fault } from "./fault.ts";
import type { Load } from "./load.ts";

export const connectionFaults: readonly Fault[] = [
  {
    name: "callers' connections to one API reset ten times",
    often: true,
    async inflict({ callers }, load) {
      for (let times = 0; times < 10; times += 1) {
        callers.reset();
        await load.acknowledged(10);
      }
    },
  },
  {
    name: "callers' connections to one API silent for 13 s",
    async inflict({ callers }) {
      callers.hold();
      await pause(STOPPED_MS);
      callers.release();
    },
  },
  {
    name: "callers' connections to one API left without packets",
    inflict: async ({ callers }) => callers.blackhole(),
  },
  {
    name: "callers' connections to one API slow by 400 ms per round trip, and flapping",
    async inflict({ callers }, load) {
      callers.delay(200);
      await load.acknowledged(20);
      callers.delay(0);
      await flap(callers, load);
    },
  },
  {
    name: "every connection of one API and one worker reset ten times",
    often: true,
    async inflict({ proxies }, load) {
      for (let times = 0; times < 10; times += 1) {
        proxies.mongo.reset();
        proxies.redis.reset();
        await load.acknowledged(10);
      }
    },
  },
  withoutRedis("silent for 13 s", async (redis) => {
    redis.hold();
    await pause(STOPPED_MS);
    redis.release();
  }),
  withoutRedis("unreachable for 13 s", async (redis) => {
    redis.rejectConnections(true);
    redis.reset();
    await pause(STOPPED_MS);
    redis.rejectConnections(false);
  }),
  withoutRedis("flapping", flap),
  withoutRedis("without packets on old connections while new ones work", async (redis) => redis.blackhole()),
  withoutRedis("slow by 400 ms per response", async (redis, load) => {
    redis.delay(200);
    await load.acknowledged(200);
    redis.delay(0);
  }),
  withoutMongo("silent for 13 s", async (mongo) => {
    mongo.hold();
    await pause(STOPPED_MS);
    mongo.release();
  }),
  // A new connection, its key, rules, epoch and heads are up to ten round trips before the insert: 2 s each are past
  // every deadline.
  withoutMongo("slow by 1 s per response", async (mongo, load) => {
    mongo.delay(500);
    await load.acknowledged(40);
    mongo.delay(0);
  }),
  withoutMongo("without packets on old connections while new ones work", async (mongo) => mongo.blackhole()),
  withoutMongo("closed to new connections", async (mongo, load) => {
    mongo.rejectConnections(true);
    await load.acknowledged(50);
    mongo.rejectConnections(false);
  }),
  withoutMongo("flapping", flap),
];

/** Every answer comes in time, whatever it is. */
function withoutMongo(how: string, inflict: (mongo: TcpProxy, load: Load) => Promise<void>): Fault {
  return {
    name: `MongoDB ${how} for one API and one worker`,
    slowestMsMax: 2 * AWARD_DEADLINE_MS,
    inflict: ({ proxies }, load) => inflict(proxies.mongo, load),
  };
}

/** No award fails because of Redis, or is delayed past its deadline. */
function withoutRedis(how: string, inflict: (redis: TcpProxy, load: Load) => Promise<void>): Fault {
  return {
    name: `Redis ${how} for one API and one worker`,
    statuses: [200],
    slowestMsMax: AWARD_DEADLINE_MS,
    inflict: ({ proxies }, load) => inflict(proxies.redis, load),
  };
}

async function flap(proxy: TcpProxy, load: Load): Promise<void> {
  for (let times = 0; times < 10; times += 1) {
    proxy.rejectConnections(times % 2 === 0);
    proxy.reset();
    await load.acknowledged(20);
  }
  proxy.rejectConnections(false);
}
