// The settings of npm start: all errors together, without the values.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "#process/config.ts";
import { readNoted, withNoted } from "#process/noted-settings.ts";
import { makeReadSettings } from "../../apps/cli/open/environment.ts";
import { readConfig } from "../../scripts/supervise/config.ts";
import { roleEnv } from "../../scripts/supervise/role-env.ts";
import { findOrMakeKey, noteGiven } from "../../scripts/supervise/kept-keys.ts";
import { tempDir } from "../support/temp-dir.ts";

const servers = { MONGO_URL: "mongodb://127.0.0.1/clanxp", REDIS_URL: "redis://127.0.0.1" };

test("an empty environment results in the documented defaults", () => {
  expect(readConfig({ PATH: "/bin", PORT: "" })).toEqual({
    config: {
      host: "127.0.0.1",
      port: 8080,
      dataDir: resolve(".data"),
      logLevel: "info",
      requestLogSample: 0,
      batchRetentionDays: 90,
      keepAliveS: 65,
      reversalRetentionDays: 90,
      eventRetentionDays: 30,
      boardRetentionDays: 90,
      buildCommit: "unknown",
      outbound: {},
    },
  });
});

test("every invalid setting is listed, and no value", () => {
  const invalid = {
    PORT: "70000",
    OPS_PORT: "ninety",
    DATA_DIR_FILE: "/nonexistent/file",
    LOG_LEVEL: "loud",
    KEEP_ALIVE_S: "3601",
    EVENT_RETENTION_DAYS: "365.1",
    MONGO_URL: "http://user:hunter2@host",
    REDIS_URL: "hunter2",
  };
  const answer = readConfig(invalid);
  const text = "faults" in answer ? answer.faults.join("\n") : "";
  expect(text.split("\n").map((line) => line.split(" ")[0])).toEqual(Object.keys(invalid));
  expect(text).not.toContain("hunter2");
});

test("a value can be read from a file, but not be set in two places", () => {
  const [file, mongoUrl] = [join(tempDir(), "mongo-url"), "mongodb://u:p@db/clanxp?replicaSet=rs0"];
  writeFileSync(file, `${mongoUrl}\n`);
  expect(readConfig({ MONGO_URL_FILE: file })).toMatchObject({ config: { mongoUrl } });
  expect(readConfig({ MONGO_URL_FILE: file, MONGO_URL: "mongodb://x" })).toEqual({
    faults: ["MONGO_URL_FILE and MONGO_URL are both set: keep one"],
  });
});

test("a setting from a file reaches its process like a setting from the environment", () => {
  const links = { API_URL: "https://xp.example.com", DOCS_URL: "https://docs.example.com", DASHBOARD_PROXIES: "2" };
  const ofServer = { OPS_HOST: "::1", HOST: "127.0.0.2", KEEP_ALIVE_S: "620", BUILD_COMMIT: "abc" };
  const kept = { LOG_LEVEL: "debug", REQUEST_LOG_SAMPLE: "0.5", BATCH_RETENTION_DAYS: "none" };
  const settings = { ...links, ...ofServer, ...kept, EVENT_RETENTION_DAYS: "0.5", DASHBOARD_URL: "https://x.example/" };
  const folder = tempDir();
  const files = Object.entries(settings).map(([name, value]) => {
    writeFileSync(join(folder, name), `${value}\n`);
    return [`${name}_FILE`, join(folder, name)];
  });
  const ports = { port: 1, opsPort: 2, workerOpsPort: 3, notifierOpsPort: 6, dashboardPort: 4, dashboardOpsPort: 5 };
  const urls = {
    mongoUrl: "mongodb://m",
    redisUrl: "redis://r",
    baseUrl: "http://127.0.0.1:1",
    dashboardUrl: "http://d",
  };
  const envOf = (env: Record<string, string>) => {
    const read = readConfig(env);
    if ("faults" in read) throw new Error(read.faults.join());
    return roleEnv({ config: read.config, ports, ...urls, secretsKey: "k", hookKey: "h" }, env).dashboard;
  };
  expect(envOf(Object.fromEntries(files))).toEqual(envOf(settings));
  expect(envOf(settings)).toMatchObject({ ...settings, DASHBOARD_URL: "https://x.example" });
});

test("Sentinel's own user reaches every process in REDIS_URL, and is rejected where no Sentinel is named", () => {
  const file = join(tempDir(), "password");
  writeFileSync(file, "s@&cret\n");
  const sentinel = { REDIS_SENTINEL_USERNAME: "su", REDIS_SENTINEL_PASSWORD_FILE: file };
  const given = { ...servers, ...sentinel, REDIS_URL: "redis+sentinel://s1,s2/mymaster" };
  const redisUrl = `${given.REDIS_URL}?sentinelUsername=su&sentinelPassword=s%40%26cret`;
  expect(loadConfig(given)).toMatchObject({ config: { redisUrl } });
  expect(readConfig(given)).toMatchObject({ config: { redisUrl } });
  expect(makeReadSettings(given)("servers").servers).toMatchObject({ redisUrl });
  const faults = ["USERNAME", "PASSWORD"].map(
    (name) => `REDIS_SENTINEL_${name} is set, but REDIS_URL names no Sentinel: keep one`,
  );
  expect(loadConfig({ ...servers, ...sentinel })).toEqual({ ok: false, faults });
  expect(readConfig({ ...servers, ...sentinel })).toEqual({ faults });
});

test.each([
  ["https://clans.example.com", "https://clans.example.com"],
  ["https://Clans.example.com:443/", "https://clans.example.com"],
  ["http://127.0.0.1:8081/", "http://127.0.0.1:8081"],
])("DASHBOARD_URL %s is normalized to %s everywhere", (text, origin) => {
  expect(readConfig({ DASHBOARD_URL: text })).toMatchObject({ config: { dashboardUrl: origin } });
  expect(loadConfig({ ...servers, DASHBOARD_URL: text })).toMatchObject({ config: { dashboardUrl: origin } });
  expect(makeReadSettings({ DASHBOARD_URL: text })("dashboardUrl")).toEqual({ dashboardUrl: origin });
});

test.each([
  "https://example.com/clans",
  "https://example.com//",
  "https://u:p@example.com",
  "https://example.com?x",
  "ftp://example.com",
  "example.com",
])("DASHBOARD_URL %s is rejected everywhere, because no link would lead to the dashboard", (text) => {
  const faults = [expect.stringContaining("DASHBOARD_URL ")];
  expect(readConfig({ DASHBOARD_URL: text })).toEqual({ faults });
  expect(loadConfig({ ...servers, DASHBOARD_URL: text })).toEqual({ ok: false, faults });
  expect(() => makeReadSettings({ DASHBOARD_URL: text })("dashboardUrl")).toThrow("DASHBOARD_URL is not an address");
});

test("the ops port can have a separate address", () => {
  const config = { host: "0.0.0.0", opsHost: "127.0.0.1" };
  expect(readConfig({ HOST: config.host, OPS_HOST: config.opsHost })).toMatchObject({ config });
});

test("two servers with the same port are rejected", () => {
  for (const [ports, fault] of [
    [{ PORT: "9090", OPS_PORT: "9090" }, "PORT and OPS_PORT are both 9090"],
    [{ DASHBOARD_PORT: "8080" }, "PORT and DASHBOARD_PORT are both 8080"],
    [{ OPS_PORT: "8081", DASHBOARD_PORT: "8081" }, "OPS_PORT and DASHBOARD_PORT are both 8081"],
  ] as const)
    expect(readConfig(ports)).toEqual({ faults: [fault] });
  expect(readConfig({ PORT: "0", OPS_PORT: "0" })).toHaveProperty("config");
});

const [KEY, OTHER_KEY] = [7, 8].map((byte) => Buffer.alloc(32, byte).toString("base64")) as [string, string];

test("a data folder has one key of secrets, which only its owner can read and no start replaces", () => {
  const dataDir = tempDir();
  const key = findOrMakeKey(dataDir, "SECRETS_KEY");
  expect(Buffer.from(key, "base64")).toHaveLength(32);
  expect(statSync(join(dataDir, "secrets-key")).mode & 0o777).toBe(0o600);
  expect(findOrMakeKey(dataDir, "SECRETS_KEY")).toBe(key);
  expect(findOrMakeKey(tempDir(), "SECRETS_KEY")).not.toBe(key);
  writeFileSync(join(dataDir, "secrets-key"), "half");
  expect(() => findOrMakeKey(dataDir, "SECRETS_KEY")).toThrow(/secrets-key holds no key.*Restore it from a backup/);
  expect(readFileSync(join(dataDir, "secrets-key"), "utf8")).toBe("half");
});

test("a process beside npm start takes what that was given, then the key of the data folder; its own settings come first", () => {
  const dataDir = tempDir();
  const env = { DATA_DIR: dataDir };
  const read = (given: object) => makeReadSettings({ ...env, ...given })("secretsKey", "allowPrivate");
  expect(read({})).toEqual({ secretsKey: null, allowPrivate: [] });
  const made = findOrMakeKey(dataDir, "SECRETS_KEY");
  expect(withNoted(env, ["SECRETS_KEY"])).toEqual({ ...env, SECRETS_KEY: made });
  const remove = noteGiven(dataDir, { SECRETS_KEY: KEY, WEBHOOK_ALLOW_PRIVATE: "127.0.0.0/8" });
  expect(statSync(join(dataDir, "settings.json")).mode & 0o777).toBe(0o600);
  expect(read({})).toEqual({ secretsKey: KEY, allowPrivate: ["127.0.0.0/8"] });
  const own = { ...env, WEBHOOK_ALLOW_PRIVATE: "10.0.0.0/8" };
  expect(withNoted(own, ["SECRETS_KEY", "WEBHOOK_ALLOW_PRIVATE"])).toEqual({ ...own, SECRETS_KEY: KEY });
  expect(read({ SECRETS_KEY: `${OTHER_KEY},${KEY}` }).secretsKey).toBe(`${OTHER_KEY},${KEY}`);
  expect(() => read({ SECRETS_KEY: "own" })).toThrow("SECRETS_KEY is not base64 of 32 bytes");

  writeFileSync(join(dataDir, "run.json"), JSON.stringify({ mongoUrl: "mongodb://here/clanxp" }));
  expect(read({ MONGO_URL: "mongodb://u:p@Here:27017/?retryReads=true" }).secretsKey).toBe(KEY);
  expect(read({ MONGO_URL: "mongodb://elsewhere/clanxp" }).secretsKey).toBeNull();

  remove();
  expect(readNoted(dataDir, "WEBHOOK_ALLOW_PRIVATE")).toBeNull();
  expect(readNoted(dataDir, "SECRETS_KEY")).toBe(made);
  const hookKey = findOrMakeKey(dataDir, "HOOK_KEY");
  expect([hookKey === made, withNoted(env, ["HOOK_KEY"])]).toEqual([false, { ...env, HOOK_KEY: hookKey }]);
  // What an earlier start noted before it was killed.
  noteGiven(dataDir, { WEBHOOK_ALLOW_PRIVATE: "127.0.0.0/8" });
  noteGiven(dataDir, {});
  expect(read({}).allowPrivate).toEqual([]);
});
