// A process that cannot start ends all that it had opened by then.
import { createServer, type AddressInfo } from "node:net";
import { expect, inject, onTestFinished, test } from "vitest";
import { openFailFastRedis } from "#redis/connection.ts";
import { freePort } from "../../../scripts/services/ports.ts";
import { startTcpProxy } from "../../support/tcp-proxy.ts";
import { useWorld } from "../../support/use-api.ts";
import { testLog } from "../../support/world.ts";

const world = await useWorld();

async function takenPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Redis through a proxy that knows how many connections there are. */
async function startRedisProxy() {
  const url = new URL(inject("redisUrl"));
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  onTestFinished(() => proxy.close());
  url.port = String(proxy.port);
  return { proxy, redisUrl: url.href };
}

test.each(["startApi", "startWorker"] as const)(
  "%s on a port that is in use leaves no connection and no port open",
  async (start) => {
    const { proxy, redisUrl } = await startRedisProxy();
    const [port, opsPort] = [await freePort(), await takenPort()];
    await expect(world[start]({ config: { redisUrl, port, opsPort } })).rejects.toThrow("EADDRINUSE");
    const own = openFailFastRedis({ url: redisUrl, log: testLog });
    onTestFinished(() => own.disconnect());
    await new Promise((resolve) => own.once("ready", resolve));
    // Connections are accepted in their order: by now the process has none on its way.
    await expect.poll(() => proxy.connections()).toBe(1);
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow("fetch failed");
  },
);
