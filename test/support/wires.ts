// API and worker in this process, with faulty wires to MongoDB and Redis.
import type { Config } from "#runtime/process/config.ts";
import { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";
import type { World } from "./world.ts";

export type Wires = {
  mongo: TcpProxy;
  redis: TcpProxy;
  config: Pick<Config, "mongoUrl" | "redisUrl">;
  close(): Promise<void>;
};

/** A wire to each server, and the settings of a process that uses them. */
export async function openWires({ mongoUrl, redisUrl }: Pick<World, "mongoUrl" | "redisUrl">): Promise<Wires> {
  const [mongoTarget, redisTarget] = [new URL(mongoUrl), new URL(redisUrl)];
  const [mongo, redis] = await Promise.all([
    startTcpProxy(addressOf(mongoTarget)),
    startTcpProxy(addressOf(redisTarget)),
  ]);
  mongoTarget.port = String(mongo.port);
  // As a member of its replica set MongoDB would tell its own address, and the driver go there, past the wire.
  mongoTarget.searchParams.delete("replicaSet");
  mongoTarget.searchParams.set("directConnection", "true");
  redisTarget.port = String(redis.port);
  return {
    mongo,
    redis,
    config: { mongoUrl: mongoTarget.href, redisUrl: redisTarget.href },
    async close() {
      await Promise.all([mongo.close(), redis.close()]);
    },
  };
}

function addressOf(url: URL): { host: string; port: number } {
  return { host: url.hostname, port: Number(url.port) };
}
