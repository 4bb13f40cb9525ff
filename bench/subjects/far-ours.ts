// This service with MongoDB and Redis behind proxies with a set delay in each direction, which may be 0.
import { startTcpProxy } from "../../test/support/tcp-proxy.ts";
import type { Servers } from "../servers.ts";
import { startOurs } from "./ours.ts";
import type { Subject } from "./subject.ts";

export async function startFarOurs(servers: Servers): Promise<Subject> {
  const name = "ours-far";
  const [mongo, redis] = await Promise.all([servers.mongoUrl(`bench-${name}`), servers.redisUrl].map(proxied));
  if (!mongo || !redis) throw new Error("two wires were asked for");
  // The replica set would name its own address, and the driver would connect to it without the proxy.
  const mongoUrl = `${mongo.url.split("?")[0]}?directConnection=true`;
  const ours = await startOurs(servers, { name, mongoUrl, redisUrl: redis.url });
  return {
    ...ours,
    setDelay(ms) {
      for (const { proxy } of [mongo, redis]) proxy.delay(ms);
    },
    async close() {
      await ours.close();
      for (const { proxy } of [mongo, redis]) await proxy.close();
    },
  };
}

async function proxied(text: string) {
  const url = new URL(text);
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  return { url: url.href, proxy };
}
