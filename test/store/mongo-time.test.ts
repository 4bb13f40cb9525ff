// One clock decides who is silent, also behind a router (mongos) whose clock differs from those of the shards: `hello`
// shows the router's.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "#store/database.ts";
import { makeErasureStore } from "#store/erasure/erasure-store.ts";
import { makeProcessStore } from "#store/projection/process-store.ts";
import { testActor } from "../support/actor.ts";
import { makeWorld, type World } from "../support/world.ts";

const HOUR_MS = 3_600_000;
const SILENCE_MS = 15_000;

let world: World;
let routed: Database;
beforeAll(async () => {
  world = await makeWorld();
  routed = { ...world.database, db: () => withHello({ localTime: new Date(Date.now() + HOUR_MS) }) };
});
afterAll(() => world.close());

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

test("a process is silent once it has recorded nothing for that long", async () => {
  const processes = makeProcessStore(routed);
  await processes.note("running", { projectedTo: new Date(), number: 1 });
  expect(await processes.listSilent(SILENCE_MS, 0)).toStrictEqual([]);
  const silentMs = async (): Promise<number> => (await processes.listNotes())[0]?.silentMs ?? NaN;
  expect(await silentMs()).toBeLessThan(HOUR_MS / 2);
  await age("processes", "seenAt");
  expect(await processes.listSilent(SILENCE_MS, 0)).toMatchObject([{ processId: "running" }]);
  expect(await silentMs()).toBeGreaterThan(HOUR_MS / 2);
});

test("an erasure is silent once no process has worked on it for that long, and at once if none ever has", async () => {
  const erasures = makeErasureStore(routed);
  const [running, waiting] = ["running", "waiting"].map((platformId) => {
    return { erasureId: `era_${platformId}`, clanId: "c", platformId };
  });
  if (!running || !waiting) throw new Error("two erasures");
  await erasures.begin(running, testActor);
  await erasures.begin(waiting, testActor, "worker");
  expect(await erasures.listSilent(SILENCE_MS)).toStrictEqual([waiting]);
  expect([await erasures.read("era_running"), await erasures.read("era_waiting")]).toMatchObject([
    { state: "running" },
    { state: "waiting" },
  ]);
  await age("erasures", "aliveAt");
  expect(await erasures.listSilent(SILENCE_MS)).toStrictEqual([running, waiting]);
  await erasures.noteAlive("era_running");
  expect(await erasures.listSilent(SILENCE_MS)).toStrictEqual([waiting]);
});
