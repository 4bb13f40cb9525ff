// The passwords of docker-compose.yml, generated at the first start: random, each readable by its one user, in a volume
// that only its service sees. An existing file is used as it is.

import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = process.argv[2] ?? "/secrets";
/** The users of the images, by number: the product's own, mongodb, redis. */
const [APP, MONGO, REDIS] = [1000, 999, 999];
const PASSWORD_BYTES = 32;
/** At most 1,024 characters of base64, says MongoDB. */
const KEYFILE_BYTES = 756;

const mongoPassword = keep("mongo/password", MONGO, newPassword);
const apiPassword = keep("mongo/api-password", MONGO, newPassword);
const notifierPassword = keep("mongo/notifier-password", MONGO, newPassword);
keep("mongo/admin-password", MONGO, newPassword);
keep("mongo/keyfile", MONGO, () => randomBytes(KEYFILE_BYTES).toString("base64"));
const redisPassword = keep("redis/password", REDIS, newPassword);
keep("redis/redis.conf", REDIS, () => `requirepass ${redisPassword}\n`);
// Of all processes, and of the API and the dashboard where they have their own user (API_SECRETS).
keepUrls("app", "clanxp", mongoPassword);
keepUrls("api", "clanxp-api", apiPassword);
keepUrls("notifier", "clanxp-notifier", notifierPassword);
// The key of destinations' secrets was beside the URLs, where the API reads.
const former = join(FOLDER, "app/secrets-key");
keep("key/secrets-key", APP, () =>
  existsSync(former) ? readFileSync(former, "utf8") : randomBytes(PASSWORD_BYTES).toString("base64"),
);
for (const volume of ["app", "api", "notifier"]) rmSync(join(FOLDER, volume, "secrets-key"), { force: true });

// The key of erasure hooks, of the API alone.
keep("hook/hook-key", APP, () => randomBytes(PASSWORD_BYTES).toString("base64"));

// Volumes that a service writes itself.
for (const name of ["demo", "caddy"]) chownSync(join(FOLDER, name), APP, APP);

/**
 * The servers' URLs, in a volume of the product's own.
 * @param {string} volume
 * @param {string} user MongoDB's
 * @param {string} password
 */
function keepUrls(volume, user, password) {
  const mongoUrl = `mongodb://${user}:${password}@mongo:27017/clanxp?replicaSet=rs0&authSource=admin`;
  keep(`${volume}/mongo-url`, APP, () => mongoUrl);
  keep(`${volume}/redis-url`, APP, () => `redis://:${redisPassword}@redis:6379`);
  const sentinels = "sentinel-1,sentinel-2,sentinel-3/clanxp";
  keep(
    `${volume}/redis-sentinel-url`,
    APP,
    () => `redis+sentinel://:${redisPassword}@${sentinels}?sentinelPassword=${redisPassword}`,
  );
}

/** Only letters and digits: it is part of URLs and in a configuration file. */
function newPassword() {
  return randomBytes(PASSWORD_BYTES).toString("hex");
}

/**
 * What the file holds; made whole or not at all.
 * @param {string} name
 * @param {number} uid its only reader
 * @param {() => string} make
 */
function keep(name, uid, make) {
  const path = join(FOLDER, name);
  if (!existsSync(path)) {
    const draft = `${path}.new`;
    rmSync(draft, { force: true }); // of a start that was killed: owned by `uid` already, it could not be written
    writeFileSync(draft, make(), { mode: 0o400 });
    chmodSync(draft, 0o400);
    chownSync(draft, uid, uid);
    renameSync(draft, path);
  }
  return readFileSync(path, "utf8");
}
