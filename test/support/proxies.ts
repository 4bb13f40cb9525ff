// Proxies between a process and MongoDB and Redis, whose connections a test can break.
import type { Config } from "#process/config.ts";
import { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";
import { makeWorld, type World } from "./world.ts";

export type Proxies = {
  mongo: TcpProxy;
  redis: TcpProxy;
  config: Pick<Config, "mongoUrl" | "redisUrl">;
  close(): Promise<void>;
};

/** A proxy for each server, and the settings of a process that uses them. */
export async function openProxies({ mongoUrl, redisUrl }: Pick<World, "mongoUrl" | "redisUrl">): Promise<Proxies> {
  const [mongoTarget, redisTarget] = [new URL(mongoUrl), new URL(redisUrl)];
  const [mongo, redis] = await Promise.all([
    startTcpProxy(addressOf(mongoTarget)),
    startTcpProxy(addressOf(redisTarget)),
  ]);
  mongoTarget.port = String(mongo.port);
  // As a member of its replica set, MongoDB would report its address, and the driver would bypass the proxy.
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

/**
 * Sends a request, again where a busy machine has it rejected before anything is held back. Resolves with its reply,
 * and with what delivers.
 */
export async function sendUntilHeld<Reply>(
  holding: Promise<() => Promise<void>>,
  send: () => Promise<Reply>,
): Promise<[Reply, () => Promise<void>]> {
  let isHeld = false;
  const held = holding.then((deliver) => ((isHeld = true), deliver));
  for (;;) {
    const reply = await send();
    if (isHeld) return [reply, await held];
  }
}

/** A world of one test, and its faulty connections. */
export async function makeProxiedWorld(onTestFinished: (end: () => Promise<void>) => void) {
  const world = await makeWorld();
  const proxies = await openProxies(world);
  onTestFinished(async () => {
    await world.close();
    await proxies.close();
  });
  return { world, proxies };
}

function addressOf(url: URL): { host: string; port: number } {
  return { host: url.hostname, port: Number(url.port) };
}
