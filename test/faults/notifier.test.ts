// Notifiers that are killed, frozen and doubled, receivers that do what receivers must not, and a Redis that loses
// everything: every event arrives or has failed, in order for each member, and twice only if a result was lost.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ClanEvent } from "#domain/event.ts";
import { chanceOf } from "../support/chance.ts";
import { IN_FLIGHT_MAX, makeWitness } from "../support/deliveries-oracle.ts";
import { destinationsIn, notifierSettings, riseOf, webhookTo, type TestDestinations } from "../support/destinations.ts";
import { startProcess, type RealProcess } from "../support/processes.ts";
import { startReceiver, type Answer } from "../support/receiver.ts";
import { seedOfRun } from "../support/seed.ts";
import { until } from "../support/until.ts";
import { makeWorld, type World } from "../support/world.ts";

const EVENTS = 500;
const MISBEHAVIOR: Answer[] = [
  "hang",
  "close",
  "endless body",
  "endless headers",
  { status: 302, headers: { location: "http://127.0.0.1:1/" } },
  { status: 500, body: "no" },
];

describe("notifiers under faults", { timeout: 120_000 }, () => {
  let world: World;
  let destinations: TestDestinations;

  beforeAll(async () => {
    world = await makeWorld();
    destinations = destinationsIn(world.database);
  });
  afterAll(() => world.close());

  const started: RealProcess[] = [];
  // Also if the test has failed, and whatever it has done to them.
  afterEach(async () => {
    for (const { pid } of started) process.kill(pid, "SIGCONT");
    await Promise.all(started.splice(0).map((one) => one.stop()));
  });

  function startNotifier(): RealProcess {
    const notifier = startProcess("notifier", {
      HOST: "127.0.0.1",
      OPS_PORT: "0",
      MONGO_URL: world.notifierMongoUrl,
      REDIS_URL: world.redisUrl,
      SECRETS_KEY: notifierSettings.secretsKey ?? "",
      WEBHOOK_ALLOW_PRIVATE: "127.0.0.0/8",
      DELIVERY_RETRY_S: "0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9",
      DELIVERY_PROBE_S: "0.05,0.1",
      // Longer than this process pauses on a busy machine: what it receives late would be sent twice.
      WEBHOOK_TIMEOUT_MS: "5000",
    });
    started.push(notifier);
    return notifier;
  }

  function appendRises(clanId: string, count: number, members: number, from = 1): Promise<ClanEvent[]> {
    const rises = Array.from({ length: count }, (_, index) => riseOf(`m${index % members}`, from + index));
    return destinations.append(clanId, rises);
  }

  test("a killed, a frozen and a doubled notifier and an emptied Redis lose no event, and keep each member's order", async () => {
    const { clanId } = (await world.makeClan()).clan;
    const chance = chanceOf(seedOfRun());
    const receiver = await startReceiver();
    const witness = makeWitness();
    receiver.answer(witness.watch(() => (chance.hits(0.05) ? chance.pick(MISBEHAVIOR) : { status: 200, body: "ok" })));
    const id = await destinations.add(clanId, webhookTo(receiver.url));
    const first = startNotifier();
    const events = await appendRises(clanId, EVENTS, 40);
    await receiver.received(EVENTS / 5);
    process.kill(first.pid, "SIGKILL");
    await first.ended();
    started.splice(0);
    const [second, third] = [startNotifier(), startNotifier()];
    await receiver.received((EVENTS * 2) / 5);
    // The process that works on the destination is frozen until another one has taken it.
    const before = await holderOf(id);
    for (const one of [second, third]) process.kill(one.pid, "SIGSTOP");
    const stopped = receiver.requests.length;
    startNotifier();
    await until(async () => (await holderOf(id)) !== before);
    await receiver.received(stopped + EVENTS / 5);
    for (const one of [second, third]) process.kill(one.pid, "SIGCONT");
    await world.emptyRedis();
    events.push(...(await appendRises(clanId, 50, 40, EVENTS + 1)));
    await destinations.untilDone(id);
    const lostMax = 3 * IN_FLIGHT_MAX;
    expect(await witness.disagreements(destinations, id, events, { lostMax })).toStrictEqual([]);
    await receiver.close();
  });

  async function holderOf(destinationId: string): Promise<string | undefined> {
    const doc = await world.database.stored.destinations.findOne({ _id: destinationId });
    return doc?.holder?.notifierId;
  }
});
