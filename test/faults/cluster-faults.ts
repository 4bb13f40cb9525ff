// The faults that real processes meet, as data: the tests run them once each, `npm run test:faults` in rounds.
import { setTimeout as pause } from "node:timers/promises";
import { openFailFastRedis } from "#queue/redis-connection.ts";
import { testLog } from "../support/world.ts";
import type { Cluster, Victim } from "./cluster.ts";
import type { Load } from "./load.ts";

/** `long`: only in rounds. `inflict` ends when the fault is over; the load goes on meanwhile. */
export type Fault = { name: string; long?: true; inflict(cluster: Cluster, load: Load): Promise<void> };

/** Past a lock's life (2 s), a job's lock and the look for stalled ones (7.5 s), a transaction's life (10 s), a socket's silence (12 s). */
const STOPPED_MS = 13_000;

export const clusterFaults: readonly Fault[] = [
  kill("api"),
  kill("worker"),
  kill("mongod"),
  kill("redis"),
  kill("mongod", "api"),
  { ...kill("redis", "worker"), long: true },
  { ...kill("mongod", "redis"), long: true },
  killThrice("api", "worker"),
  { ...killThrice("mongod"), long: true },
  { ...killThrice("redis"), long: true },
  stop("api", "worker"),
  stop("mongod"),
  { ...stop("redis"), long: true },
  { ...stop("mongod", "redis"), long: true },
  { name: "Redis restarted without its file", inflict: (cluster) => cluster.loseRedis() },
  { name: "Redis flushed five times", inflict: flush },
  {
    name: "every wire of one API and one worker reset ten times",
    async inflict({ wires }, load) {
      for (let times = 0; times < 10; times += 1) {
        wires.mongo.reset();
        wires.redis.reset();
        await load.acknowledged(10);
      }
    },
  },
  {
    name: "every wire of one API and one worker silent for 13 s",
    long: true,
    async inflict({ wires }) {
      for (const wire of [wires.mongo, wires.redis]) wire.hold();
      await pause(STOPPED_MS);
      for (const wire of [wires.mongo, wires.redis]) wire.letGo();
    },
  },
];

function kill(...victims: readonly Victim[]): Fault {
  return {
    name: `kill -9 of ${victims.join(" and ")}`,
    async inflict(cluster) {
      await Promise.all(victims.map(cluster.kill));
    },
  };
}

function killThrice(...victims: readonly Victim[]): Fault {
  return {
    name: `kill -9 of ${victims.join(" and ")} thrice in a row`,
    async inflict(cluster) {
      await Promise.all(
        victims.map(async (victim) => {
          for (let times = 0; times < 3; times += 1) await cluster.kill(victim);
        }),
      );
    },
  };
}

function stop(...victims: readonly Victim[]): Fault {
  return {
    name: `SIGSTOP of ${victims.join(" and ")} past every limit, then SIGCONT`,
    async inflict(cluster) {
      for (const victim of victims) cluster.signal(victim, "SIGSTOP");
      await pause(STOPPED_MS);
      for (const victim of victims) cluster.signal(victim, "SIGCONT");
    },
  };
}

async function flush({ redisUrl }: Cluster, load: Load): Promise<void> {
  const redis = openFailFastRedis({ url: redisUrl, log: testLog });
  await new Promise((resolve) => redis.once("ready", resolve));
  for (let times = 0; times < 5; times += 1) {
    await redis.flushall();
    await load.acknowledged(20);
  }
  redis.disconnect();
}
