// MongoDB and Redis for one data folder, as `npm start` and the tests use them. What is given by URL is not started
// here.

import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { cacheDir as defaultCacheDir, nodeLink } from "./paths.js";
import { servers } from "./servers/list.js";
import { mongod } from "./services/mongod.js";
import { redis } from "./services/redis.js";
import { prepareService } from "./services/service.js";
import { isNewEnough } from "./setup/toolchain.js";

const STOP_GRACE_MS = 5_000;

/**
 * @typedef {object} ServicesOptions
 * @property {string} dataDir
 * @property {number | undefined} [mongoPort] default: the last one, or any free one
 * @property {number | undefined} [redisPort]
 * @property {string | undefined} [mongoUrl] given: used as it is
 * @property {string | undefined} [redisUrl]
 * @property {import("./services/service.js").Kind} [mongodKind] default: one that asks for no password
 * @property {string} [cacheDir]
 * @property {string} [node] Node 24
 * @property {(line: string) => void} log
 *
 * @typedef {import("./system/watch-child.js").Running & { version: string, from: string }} RunningService
 *
 * @typedef {object} Services
 * @property {string} mongoUrl
 * @property {string} redisUrl
 * @property {RunningService | undefined} [mongod] only when started here
 * @property {RunningService | undefined} [redis]
 * @property {() => Promise<void>} stop
 */

/**
 * Finds the servers and their ports, without starting them.
 * @param {ServicesOptions} options
 */
export async function prepareServices({
  dataDir: givenDir,
  mongoPort,
  redisPort,
  mongoUrl,
  redisUrl,
  mongodKind = mongod,
  cacheDir = defaultCacheDir,
  node = node24(),
  log,
}) {
  mkdirSync(givenDir, { recursive: true });
  const dataDir = realpathSync(resolve(givenDir));
  const common = { dataDir, cacheDir, node, log };
  const [mongodService, redisService] = await Promise.all([
    mongoUrl ? undefined : prepareService({ ...common, kind: mongodKind, wanted: servers.mongod, port: mongoPort }),
    redisUrl ? undefined : prepareService({ ...common, kind: redis, wanted: servers.redis, port: redisPort }),
  ]);
  return {
    mongoUrl: mongodService?.url ?? mongoUrl ?? "",
    redisUrl: redisService?.url ?? redisUrl ?? "",
    mongod: mongodService,
    redis: redisService,
  };
}

/**
 * Answers when both serve.
 * @param {ServicesOptions} options
 * @returns {Promise<Services>}
 */
export async function startServices(options) {
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

/**
 * @param {import("./services/service.js").Service | undefined} service
 * @param {(line: string) => void} log
 * @returns {Promise<RunningService | undefined>}
 */
async function startOne(service, log) {
  if (!service) return undefined;
  const { version, from, why, note } = service.server;
  log(`${service.name} ${version} from ${from} (${why})`);
  if (note) log(`${service.name} ${version} is ${note}`);
  return { ...(await service.start()), version, from };
}

function node24() {
  if (isNewEnough()) return process.execPath;
  if (existsSync(nodeLink)) return nodeLink;
  throw new Error("Node 24 is not set up here yet. Run `npm run setup` first.");
}
