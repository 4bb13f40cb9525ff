// The product behind a router (mongos) with two shards: the same guarantees, and what doctor reports. Skipped if the
// image of MongoDB has no mongos.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MongoClient } from "mongodb";
import { startLoad } from "../faults/load.ts";
import { violations } from "../faults/violations.ts";
import { seedOfRun } from "../support/seed.ts";
import { startFleet, type Fleet } from "./fleet.ts";

const IMAGE = process.env["MONGO_IMAGE"] ?? "mongo:8.0";
/** Hashed over two shards: that one holds all of them happens once in 32,000 runs. */
const CLANS = 16;

const version = ["run", "--rm", "--entrypoint", "mongos", IMAGE, "--version"];
const hasRouter = await promisify(execFile)("docker", version).then(
  () => true,
  () => false,
);
if (!hasRouter) process.stdout.write(`skipped the run behind a router: the image ${IMAGE} has no mongos\n`);

describe.skipIf(!hasRouter)("behind a router", () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await startFleet({ apis: 2, workers: 1, routed: true });
  });
  afterAll(() => fleet.close());

  test("awards and batches are applied exactly once, on both shards", async () => {
    const seed = seedOfRun();
    const targets = await Promise.all(Array.from({ length: CLANS }, () => fleet.makeTarget()));
    const options = { callers: 2, members: 4, queues: 1, batchers: 1, seed };
    const loads = targets.map((target) => startLoad(target, options));
    await Promise.all(loads.map((load) => load.acknowledged(10)));
    for (const [index, load] of loads.entries()) {
      const { clanId = "" } = targets[index] ?? {};
      expect(await violations("behind a router", fleet.database, clanId, await load.stop())).toStrictEqual([]);
    }
    expect(fleet.shards).toHaveLength(2);
    for (const url of fleet.shards) expect(await entriesAt(url)).toBeGreaterThan(0);
  });

  test("doctor names the router and its shard keys, and finds nothing wrong with them", async () => {
    const [api] = fleet.running("api");
    const { output = "" } = (await api?.container.exec(["clanxp", "doctor", "--json"])) ?? {};
    const { checks } = JSON.parse(output);
    for (const [name, detail] of [
      ["mongo replica set", expect.stringContaining("mongos")],
      ["mongo shard keys", "ledger by _id.clanId (hashed); members by _id"],
    ])
      expect(checks).toContainEqual(expect.objectContaining({ name, status: "ok", detail }));
    expect(checks.filter(({ status }: { status: string }) => status === "fail")).toStrictEqual([]);
  });
});

async function entriesAt(url: string): Promise<number> {
  const client = await new MongoClient(url).connect();
  try {
    return await client.db("clanxp").collection("ledger").countDocuments();
  } finally {
    await client.close();
  }
}
