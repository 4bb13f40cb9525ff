// MongoDB and Redis for one data folder, as `npm start` and the tests use them. A server whose URL is given is not
// started.

import { mkdirSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { cacheDir as defaultCacheDir } from "../paths.js";
import { servers } from "../servers/providers.ts";
import { mongod } from "./mongod.ts";
import { redis } from "./redis.ts";
import { prepareService, type Kind, type Service } from "./service.ts";
import type { Running } from "../system/watch-child.ts";

const STOP_GRACE_MS = 5_000;

export type ServicesOptions = {
  dataDir: string;
  /** Default: the last one, or any free one. */
  mongoPort?: number | undefined;
  redisPort?: number | undefined;
  /** If it is given, it is used unchanged. */
  mongoUrl?: string | undefined;
  redisUrl?: string | undefined;
  /** Default: a server without a password. */
  mongodKind?: Kind;
  cacheDir?: string;
  log: (line: string) => void;
};

export type RunningService = Running & { version: string; from: string };

export type Services = {
  mongoUrl: string;
  redisUrl: string;
  /** Only if it was started here. */
  mongod?: RunningService | undefined;
  redis?: RunningService | undefined;
  stop: () => Promise<void>;
};

/** Finds the servers and their ports, without starting them. */
export async function prepareServices({
  dataDir: givenDir,
  mongoPort,
  redisPort,
  mongoUrl,
  redisUrl,
  mongodKind = mongod,
  cacheDir = defaultCacheDir,
  log,
}: ServicesOptions) {
  mkdirSync(givenDir, { recursive: true });
  const dataDir = realpathSync(resolve(givenDir));
  const common = { dataDir, cacheDir, log };
  const [mongodService, redisService] = await Promise.all([
    mongoUrl
      ? undefined
      : prepareService({ ...common, kind: mongodKind, requirement: servers.mongod, port: mongoPort }),
    redisUrl ? undefined : prepareService({ ...common, kind: redis, requirement: servers.redis, port: redisPort }),
  ]);
  return {
    mongoUrl: mongodService?.url ?? mongoUrl ?? "",
    redisUrl: redisService?.url ?? redisUrl ?? "",
    mongod: mongodService,
    redis: redisService,
  };
}

/** Resolves when both are ready. */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const prepared = await prepareServices(options);
  const started = await Promise.allSettled(
    [prepared.mongod, prepared.redis].map((service) => startOne(service, options.log)),
  );
  const running = started.map((result) => (result.status === "fulfilled" ? result.value : undefined));
  const stop = async () => {
    await Promise.all(running.map(async (service) => service?.stop(STOP_GRACE_MS)));
  };
  const failure = started.find((result) => result.status === "rejected");
  if (failure) {
    await stop();
    throw failure.reason;
  }
  return {
    mongoUrl: prepared.mongoUrl,
    redisUrl: prepared.redisUrl,
    mongod: running[0],
    redis: running[1],
    stop,
  };
}

async function startOne(
  service: Service | undefined,
  log: (line: string) => void,
): Promise<RunningService | undefined> {
  if (!service) return undefined;
  const { version, from, why, note } = service.server;
  log(`${service.name} ${version} from ${from} (${why})`);
  if (note) log(`${service.name} ${version}: ${note}`);
  return { ...(await service.start()), version, from };
}
