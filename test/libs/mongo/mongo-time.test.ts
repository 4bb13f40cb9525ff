// One clock decides who is silent, also behind a router (mongos) whose clock differs from those of the shards: `hello`
// shows the router's.
import { expect, test } from "vitest";
import type { Database } from "#mongo/database.ts";
import { makeErasureStore } from "#erasure/store/erasure-store.ts";
import { makeProcessStore } from "#ledger/store/process-store.ts";
import { testActor } from "../../support/actor.ts";
import { useWorld } from "../../support/use-api.ts";

const HOUR_MS = 3_600_000;
const SILENCE_MS = 15_000;

const world = await useWorld();
const routed = { ...world.database, db: () => withHello({ localTime: new Date(Date.now() + HOUR_MS) }) };

function withHello(hello: object): ReturnType<Database["db"]> {
  return new Proxy(world.database.db(), {
    get(db, name) {
      const value: unknown = name === "command" ? async () => hello : Reflect.get(db, name, db);
      return typeof value === "function" ? value.bind(db) : value;
    },
  });
}

/** Moves a time of all documents into the past. */
async function age(collection: string, field: string): Promise<void> {
  const earlier = [{ $set: { [field]: { $subtract: [`$${field}`, HOUR_MS] } } }];
  await world.database.db().collection(collection).updateMany({}, earlier);
}

test("a process is silent once it has recorded nothing for that long, and a claim of it expires as late", async () => {
  const processes = makeProcessStore(routed);
  const due = { silentMs: SILENCE_MS, passes: 0 };
  const claimBy = (by: string) => processes.claimSilent(due, { by, forMs: SILENCE_MS });
  await processes.note("running", { projectedTo: new Date(), number: 1 });
  expect(await claimBy("w1")).toBeNull();
  const silentMs = async (): Promise<number> => (await processes.listNotes())[0]?.silentMs ?? NaN;
  expect(await silentMs()).toBeLessThan(HOUR_MS / 2);
  await age("processes", "seenAt");
  expect(await silentMs()).toBeGreaterThan(HOUR_MS / 2);
  const claim = { processId: "running", claimedBy: "w1" };
  expect(await claimBy("w1")).toMatchObject(claim);
  expect([await claimBy("w2"), await claimBy("w1")]).toMatchObject([null, claim]);
  await age("processes", "claim.at");
  expect(await claimBy("w2")).toMatchObject({ ...claim, claimedBy: "w2" });
});

test("an erasure is silent once no process has worked on it for that long, and from the start if none ever has", async () => {
  const erasures = makeErasureStore(routed);
  const [running, waiting] = ["running", "waiting"].map((platformId) => {
    return { erasureId: `era_${platformId}`, clanId: "c", platformId };
  });
  if (!running || !waiting) throw new Error("two erasures");
  await erasures.begin(running, testActor);
  await erasures.begin(waiting, testActor, "worker");
  expect([await erasures.read("era_running"), await erasures.read("era_waiting")]).toMatchObject([
    { state: "running" },
    { state: "waiting" },
  ]);
  const claims = async () => [await erasures.claimSilent(SILENCE_MS), await erasures.claimSilent(SILENCE_MS)];
  expect(await claims()).toStrictEqual([waiting, null]);
  await age("erasures", "aliveAt");
  await erasures.noteAlive("era_waiting");
  expect(await claims()).toStrictEqual([running, null]);
});
