// Receivers that hang and fail must not delay what others receive. The margin is wide here; target 22 of the benchmark
// measures what they cost awards.
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "#process/clock.ts";
import { makeIds } from "#process/ids.ts";
import { makeCallStore } from "#delivery/store/call-store.ts";
import { destinationsIn, notifierSettings, riseOf, webhookTo } from "../support/destinations.ts";
import { startProcess } from "../support/processes.ts";
import { startReceiver, type Answer, type Receiver } from "../support/receiver.ts";
import { makeWorld } from "../support/world.ts";

const BAD_OF_A_KIND = 10;
const JOINS = 60;
/** From the award to the delivery, at the 95th percentile: beyond what a machine that is busy takes without them. */
const DELAY_MS_MAX = 2_000;

/** It may reach this machine, and does not wait for long. */
const NOTIFIER = {
  HOST: "127.0.0.1",
  OPS_PORT: "0",
  SECRETS_KEY: notifierSettings.secretsKey ?? "",
  WEBHOOK_ALLOW_PRIVATE: "127.0.0.0/8",
  DELIVERY_RETRY_S: "0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9",
  DELIVERY_PROBE_S: "0.05,0.1",
};

type Caller = { baseUrl: string; clanId: string; key: string };

test(
  "receivers that hang, fail or never end a response delay no other destination, and tests no other test",
  { timeout: 120_000 },
  async () => {
    const world = await makeWorld();
    const [bad, good] = [await startReceiver(), await startReceiver()];
    onTestFinished(async () => {
      await Promise.all([notifier.stop(), bad.close(), good.close()]);
      await world.close();
    });
    const destinations = destinationsIn(world.database);
    const [api] = await Promise.all([world.startApi(), world.startWorker()]);
    const notifier = startProcess("notifier", {
      ...NOTIFIER,
      MONGO_URL: world.notifierMongoUrl,
      REDIS_URL: world.redisUrl,
    });
    const faults: Record<string, Answer> = { "/hang": "hang", "/endless": "hang in body" };
    bad.answer(({ path }) => faults[path] ?? { status: 500 });
    const [hanging, failing, other] = await Promise.all([world.makeClan(), world.makeClan(), world.makeClan()]);
    await destinations.add(other.clan.clanId, webhookTo(good.url));
    const caller = { baseUrl: `http://127.0.0.1:${api.port}`, clanId: other.clan.clanId, key: other.key };
    const before = await delayOfJoins(caller, good, "before");

    // Of the same clan: each response counts at its status, and its body holds no place for long.
    for (let count = 0; count < 2; count += 1)
      await destinations.add(other.clan.clanId, webhookTo(`${bad.url}/endless`));
    const kinds = [
      { clanId: hanging.clan.clanId, url: `${bad.url}/hang` },
      { clanId: failing.clan.clanId, url: `${bad.url}/fail` },
    ];
    for (const { clanId, url } of kinds) {
      await Promise.all(Array.from({ length: BAD_OF_A_KIND }, () => destinations.add(clanId, webhookTo(url))));
      await destinations.append(
        clanId,
        Array.from({ length: 200 }, (_, index) => riseOf(`m${index}`, 1)),
      );
    }
    await bad.received(2 * BAD_OF_A_KIND);
    expect(await delayOfJoins(caller, good, "beside")).toBeLessThan(before + DELAY_MS_MAX);

    const calls = makeCallStore(world.database, makeIds(systemClock));
    const [hangingId = "", ownId = ""] = await Promise.all(
      [hanging, other].map(async ({ clan: { clanId } }) => {
        const stored = await destinations.store.listOfClan(clanId);
        return stored[0]?.destination.destinationId;
      }),
    );
    const ask = (destinationId: string) =>
      calls.ask({ kind: "test", destinationId, rev: 0 }, { timeoutMs: 10_000, takenWithinMs: 10_000 });
    const asked = Promise.all(Array.from({ length: 10 }, () => ask(hangingId)));
    expect(await ask(ownId)).toMatchObject({ test: { status: 204 } });
    await asked;
  },
);

/** Each award makes a player a member. Returns how long the slowest 5 % of the deliveries took, in milliseconds. */
async function delayOfJoins({ baseUrl, clanId, key }: Caller, receiver: Receiver, name: string): Promise<number> {
  const received = receiver.requests.length;
  const sentAtMs = new Map<string, number>();
  for (let index = 0; index < JOINS; index += 1) {
    sentAtMs.set(`${name}-${index}`, Date.now());
    const response = await fetch(`${baseUrl}/v0/clans/${clanId}/members/${name}-${index}/xp`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ amount: 150 }),
    });
    expect(response.status).toBe(200);
  }
  // The join, and the first rank.
  const requests = (await receiver.received(received + 2 * JOINS)).slice(received);
  const delays = requests.map(({ body, at }) => {
    const { data } = JSON.parse(body) as { data: { platformId: string } };
    return at.getTime() - (sentAtMs.get(data.platformId) ?? 0);
  });
  return delays.toSorted((a, b) => a - b)[Math.floor(delays.length * 0.95)] ?? Infinity;
}
