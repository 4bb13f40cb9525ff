// One more Redis for a test that breaks it: what the others use must not change.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Redis } from "ioredis";
import { cacheDir } from "../../scripts/paths.js";
import type { ServerRequirement } from "../../scripts/servers/find-server.ts";
import { servers } from "../../scripts/servers/providers.ts";
import { redis } from "../../scripts/services/redis.ts";
import { prepareService } from "../../scripts/services/service.ts";
import { openTestRedis } from "./world.ts";

export type RedisServer = { url: string; dataDir: string; port: number; admin: Redis; close(): Promise<void> };

/** Starts one with further arguments; `sentinel`: as a Sentinel with this configuration; `requirement`: or a Valkey. */
export async function startRedis({
  args = [],
  sentinel = null,
  requirement = servers.redis,
}: { args?: readonly string[]; sentinel?: string | null; requirement?: ServerRequirement } = {}): Promise<RedisServer> {
  const dataDir = mkdtempSync(join(tmpdir(), "clanxp-redis-"));
  const file = join(dataDir, "sentinel.conf");
  if (sentinel !== null) writeFileSync(file, sentinel);
  const service = await prepareService({
    kind: {
      ...redis,
      args: (at) =>
        sentinel === null ? [...redis.args(at), ...args] : [file, "--sentinel", "--port", String(at.port)],
    },
    requirement,
    dataDir,
    cacheDir,
    log: () => {},
  });
  const running = await service.start();
  const admin = openTestRedis(service.url);
  return {
    url: service.url,
    dataDir: join(dataDir, "redis"),
    port: Number(new URL(service.url).port),
    admin,
    async close() {
      admin.disconnect();
      await running.stop(5_000);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** `bus`: by default the port of the server and 10,000, which is not reserved. */
export function startClusterNode(bus: number): Promise<RedisServer> {
  const options = ["--cluster-enabled", "yes", "--cluster-port", String(bus), "--cluster-require-full-coverage", "no"];
  return startRedis({ args: options });
}
