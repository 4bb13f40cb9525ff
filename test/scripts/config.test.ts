// The settings of npm start: all faults at once, no value in any of them.
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "../../scripts/supervise/config.js";
import { tempDir } from "./temp-dir.ts";

test("nothing set: the documented defaults", () => {
  expect(readConfig({ PATH: "/bin", PORT: "" })).toEqual({
    config: {
      host: "127.0.0.1",
      port: 8080,
      opsPort: 9090,
      dataDir: resolve(".data"),
      logLevel: "info",
      requestLogSample: 0,
      batchRetentionDays: 90,
      buildCommit: "unknown",
    },
  });
});

test("every fault is named at once, and no value with it", () => {
  const answer = readConfig({
    PORT: "70000",
    OPS_PORT: "ninety",
    MONGO_URL: "http://user:hunter2@host",
    REDIS_URL: "hunter2",
    LOG_LEVEL: "loud",
    DATA_DIR_FILE: "/nonexistent/file",
  });
  const text = "faults" in answer ? answer.faults.join("\n") : "";
  expect(text.split("\n").map((line) => line.split(" ")[0])).toEqual([
    "PORT",
    "OPS_PORT",
    "DATA_DIR_FILE",
    "MONGO_URL",
    "REDIS_URL",
    "LOG_LEVEL",
  ]);
  expect(text).not.toContain("hunter2");
});

test("a value can come from a file, but not from two places", () => {
  const file = join(tempDir(), "mongo-url");
  writeFileSync(file, "mongodb://u:p@db/clanxp?replicaSet=rs0\n");
  expect(readConfig({ MONGO_URL_FILE: file })).toMatchObject({
    config: { mongoUrl: "mongodb://u:p@db/clanxp?replicaSet=rs0" },
  });
  expect(readConfig({ MONGO_URL_FILE: file, MONGO_URL: "mongodb://x" })).toEqual({
    faults: ["MONGO_URL_FILE and MONGO_URL are both set: keep one"],
  });
});

test("the ops port has an address of its own where one is given", () => {
  expect(readConfig({ HOST: "0.0.0.0", OPS_HOST: "127.0.0.1" })).toMatchObject({ config: { host: "0.0.0.0", opsHost: "127.0.0.1" } });
});

test("one port cannot serve both", () => {
  expect(readConfig({ PORT: "9090" })).toEqual({ faults: ["PORT and OPS_PORT are both 9090"] });
  expect(readConfig({ PORT: "0", OPS_PORT: "0" })).toHaveProperty("config");
});
