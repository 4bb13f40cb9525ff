// The faults that real processes meet, as data: `npm test` and `npm run test:long` run each of them once,
// `npm run test:faults` in rounds.
import { setTimeout as pause } from "node:timers/promises";
import type { Redis } from "ioredis";
import { until } from "../support/until.ts";
import { openTestRedis } from "../support/world.ts";
import type { Cluster, Victim } from "./cluster.ts";
import { STOPPED_MS, type Fault } from "./fault.ts";
import { connectionFaults } from "./connection-faults.ts";
import type { Role } from "./second-process.ts";
import type { Offset } from "./fake-clock.ts";
import type { Load } from "./load.ts";
import type { Disk } from "./small-disk.ts";

export const clusterFaults: readonly Fault[] = [
  { ...kill("redis"), often: true },
  { ...kill("mongod", "api"), often: true },
  kill("redis", "worker"),
  kill("mongod", "redis"),
  { ...killThrice("api", "worker"), often: true },
  killThrice("mongod"),
  killThrice("redis"),
  { ...stop("api", "worker"), often: true },
  stop("mongod", "redis"),
  { name: "Redis restarted without its file", inflict: (cluster) => cluster.loseRedis() },
  { name: "Redis flushed five times", often: true, inflict: flush },
  {
    name: "Redis restored from an old copy",
    async inflict(cluster, load) {
      const restore = cluster.copyRedis();
      await load.acknowledged(100);
      await restore();
    },
  },
  {
    name: "wrong seqs and locks written into Redis five times",
    statuses: [200],
    inflict: overwriteNumbers,
  },
  jump("api"),
  jump("worker"),
  {
    name: "clocks of one API and one worker two hours apart, Redis flushed",
    needs: "clocks",
    statuses: [200],
    async inflict(cluster, load) {
      setClock(cluster, "api", "+1h");
      setClock(cluster, "worker", "-1h");
      await flush(cluster, load);
      for (const role of ["api", "worker"] as const) setClock(cluster, role, "+0");
    },
  },
  {
    name: "disk of mongod full until it and its successor give up",
    needs: "disks",
    statuses: [200, 503],
    async inflict(cluster, load) {
      const disk = diskOf(cluster, "mongod");
      // Repeatedly, because a restart may free what the previous attempt had filled. What is written immediately here
      // is written within a minute in any case.
      const fillAndWrite = async (): Promise<void> => {
        disk.fill();
        await cluster.database.db().admin().command({ fsync: 1 });
      };
      await cluster.death("mongod", fillAndWrite);
      await cluster.death("mongod", fillAndWrite);
      disk.makeRoom();
      await load.acknowledged(1);
    },
  },
  {
    name: "disk of Redis full",
    needs: "disks",
    statuses: [200],
    async inflict(cluster, load) {
      const disk = diskOf(cluster, "redis");
      disk.fill();
      await withRedis(cluster, async (redis) => {
        await until(() =>
          redis.set("any", "thing").then(
            () => false,
            (error: Error) => /MISCONF/.test(error.message),
          ),
        );
      });
      await load.acknowledged(100);
      disk.makeRoom();
    },
  },
  ...connectionFaults,
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
    name: `kill -9 of ${victims.join(" and ")} three times in a row`,
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
    name: `SIGSTOP of ${victims.join(" and ")} past every timeout, then SIGCONT`,
    async inflict(cluster) {
      for (const victim of victims) cluster.signal(victim, "SIGSTOP");
      await pause(STOPPED_MS);
      for (const victim of victims) cluster.signal(victim, "SIGCONT");
    },
  };
}

async function flush(cluster: Cluster, load: Load): Promise<void> {
  await withRedis(cluster, async (redis) => {
    for (let times = 0; times < 5; times += 1) {
      await redis.flushall();
      await load.acknowledged(20);
    }
  });
}

/** Old, of the future, huge, none at all, and a lock that nobody holds. */
const WRONG_NUMBERS = [
  "#0",
  "#1",
  "#2",
  "#+1",
  "#+7",
  `#${Number.MAX_SAFE_INTEGER}`,
  "#1e300",
  "#-1",
  "#1.5",
  "#number",
  "#",
  "nobody",
];

async function overwriteNumbers(cluster: Cluster, load: Load): Promise<void> {
  await withRedis(cluster, async (redis) => {
    for (let times = 0; times < 5; times += 1) {
      const keys = await redis.keys("*:lock:*");
      const values = keys.length > 0 ? await redis.mget(keys) : [];
      await Promise.all(
        keys.map((key, index) => {
          const wrong = WRONG_NUMBERS[(times + index) % WRONG_NUMBERS.length] ?? "";
          const number = Number(values[index]?.slice(1)) || 0;
          return redis.set(key, wrong.startsWith("#+") ? `#${number + Number(wrong.slice(2))}` : wrong, "PX", 30_000);
        }),
      );
      await load.acknowledged(20);
    }
  });
}

function jump(role: Role): Fault {
  return {
    name: `clock of one ${role} an hour ahead, then an hour behind`,
    needs: "clocks",
    statuses: [200],
    async inflict(cluster, load) {
      for (const offset of ["+1h", "-1h", "+0"] as const) {
        setClock(cluster, role, offset);
        await load.acknowledged(100);
      }
    },
  };
}

function setClock({ clocks }: Cluster, role: Role, offset: Offset): void {
  if ("reason" in clocks) throw new Error(clocks.reason);
  clocks[role].set(offset);
}

function diskOf({ disks }: Cluster, server: "mongod" | "redis"): Disk {
  if ("reason" in disks) throw new Error(disks.reason);
  return disks[server];
}

async function withRedis({ redisUrl }: Cluster, act: (redis: Redis) => Promise<void>): Promise<void> {
  const redis = openTestRedis(redisUrl);
  await act(redis);
  redis.disconnect();
}
