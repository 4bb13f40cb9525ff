// A MongoDB that is no replica set: it cannot run transactions. It is named as what it is, everywhere, with the fix.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { cacheDir } from "../../scripts/paths.js";
import { servers } from "../../scripts/servers/providers.ts";
import { mongod } from "../../scripts/services/mongod.ts";
import { prepareService } from "../../scripts/services/service.ts";
import type { Running } from "../../scripts/system/watch-child.ts";
import { cliOn } from "../support/cli.ts";
import { makeWorld, type World } from "../support/world.ts";

const STANDALONE = /a standalone server; a replica set is required/;
const FIX = /Start mongod with --replSet rs0 and run rs\.initiate\(\) once/;

const dataDir = mkdtempSync(join(tmpdir(), "clanxp-standalone-"));
let running: Running;
let world: World;
beforeAll(async () => {
  const kind = {
    ...mongod,
    args: (at: Parameters<typeof mongod.args>[0]) =>
      mongod.args(at).filter((arg) => !["--replSet", "rs0"].includes(arg)),
    whenReady: async ({ port }: { port: number }) => {
      const client = await MongoClient.connect(`mongodb://127.0.0.1:${port}`);
      await client.close();
    },
  };
  const service = await prepareService({ kind, requirement: servers.mongod, dataDir, cacheDir, log: () => {} });
  running = await service.start();
  world = await makeWorld(service.url.replace("?replicaSet=rs0", ""));
}, 90_000);
afterAll(async () => {
  await world.close();
  await running.stop(5_000);
  rmSync(dataDir, { recursive: true, force: true });
});

test("a standalone MongoDB makes the API not ready, and fails a check of the doctor", async () => {
  const { opsPort } = await world.startApi();
  const detail = expect.stringMatching(new RegExp(`${STANDALONE.source}.*${FIX.source}`));
  await vi.waitFor(async () => {
    const response = await fetch(`http://127.0.0.1:${opsPort}/readyz`);
    expect(await response.json()).toMatchObject({
      status: "not ready",
      dependencies: { mongo: { state: "down", detail } },
    });
    expect(response.status).toBe(503);
  }, 50_000);
  const { exitCode, answer } = await cliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl }).json("doctor");
  expect(exitCode).toBe(1);
  expect(answer.checks).toContainEqual({
    name: "mongo replica set",
    status: "fail",
    detail: expect.stringMatching(STANDALONE),
    fix: expect.stringMatching(FIX),
  });
}, 60_000);

test.for([[["clan", "create", "sa", "--auto"]], [["account", "invite", "ann", "--operator"]]] as const)(
  "a command that needs transactions reports a standalone MongoDB: %s",
  async ([args]) => {
    const { exitCode, stderr } = await cliOn({ MONGO_URL: world.mongoUrl }).run(...args);
    expect([exitCode, stderr]).toEqual([3, expect.stringMatching(new RegExp(`${STANDALONE.source}.*${FIX.source}`))]);
    expect(stderr).not.toMatch(/retryWrites|\.\.$/m);
  },
);
