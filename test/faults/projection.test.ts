// An API that is killed long before it has projected what it committed: a worker projects the rest soon, and nothing is
// lost or doubled.
import { describe, expect, test, vi } from "vitest";
import { scrape } from "../support/scrape.ts";
import { startProcess } from "../support/processes.ts";
import { chanceOf } from "../support/chance.ts";
import { patientCliOn } from "../support/cli.ts";
import type { TcpProxy } from "../support/tcp-proxy.ts";
import { makeWorld } from "../support/world.ts";
import { sendCall } from "./send-awards.ts";
import type { SentAward } from "../support/oracle.ts";
import { openProxies } from "../support/proxies.ts";
import { seedOfRun } from "../support/seed.ts";
import type { Target } from "./send.ts";
import { timed } from "./timed.ts";
import { violations } from "./violations.ts";

const HEADS = 10_000;
/** In each call, one of which may be sent twice in it: 100 are allowed. */
const AWARDS_PER_CALL = 99;
/** Enough for some to be under way when the process is killed. */
const CALLS = 125;
const CALLERS = 8;
/** On two cores that do nothing else it takes 20 s. */
const RECOVERED_WITHIN_MS = 60_000;
/** How MongoDB's protocol begins a write to `members`. */
const PROJECTION = "update\0\b\0\0\0members\0";

describe("an API that is killed", { timeout: 240_000 }, () => {
  test(`with ${HEADS} unprojected heads loses nothing: a worker projects them in ${RECOVERED_WITHIN_MS / 1_000} s`, async ({
    onTestFinished,
  }) => {
    const world = await makeWorld();
    const proxies = await openProxies(world);
    const doomed = startProcess("api", { MONGO_URL: proxies.config.mongoUrl, REDIS_URL: world.redisUrl });
    onTestFinished(async () => {
      await doomed.stop();
      await world.close();
      await proxies.close();
    });
    const [{ clan, key }, { port, opsPort }, successor] = await Promise.all([
      world.makeClan(),
      doomed.ready(),
      world.startApi(),
    ]);
    await world.startWorker();
    void loseProjections(proxies.mongo);

    const urls = [`http://127.0.0.1:${port}`];
    const sending = sendAll({ clanId: clan.clanId, key, baseUrls: () => urls });
    await seldom(async () => ((await scrape(opsPort)).series.get("clanxp_projection_pending_members") ?? 0) > HEADS);
    process.kill(doomed.pid, "SIGKILL");
    urls.splice(0, 1, `http://127.0.0.1:${successor.port}`);
    const count = (collection: string, filter: object) =>
      world.database.db().collection(collection).countDocuments(filter);
    const listed = (): Promise<number> => count("members", { clanId: clan.clanId });
    const behind = (await count("ledger", { "_id.clanId": clan.clanId })) - (await listed());
    expect(behind).toBeGreaterThan(HEADS - AWARDS_PER_CALL * CALLERS);

    const { result: awards, ms } = await timed(async () => {
      const sent = await sending;
      await seldom(async () => (await listed()) === sent.length);
      return sent;
    });
    expect(ms, "in time").toBeLessThan(RECOVERED_WITHIN_MS);
    const name = `kill -9 of an API with ${HEADS} unprojected heads`;
    expect(await violations(name, world.database, clan.clanId, { awards, batches: [] })).toStrictEqual([]);
    const rebuilt = await patientCliOn({ MONGO_URL: world.mongoUrl }).json("rebuild", "--clan", clan.clanId);
    expect(rebuilt.answer).toStrictEqual({ members: awards.length, changed: 0 });
  });
});

/** Asks until it is so, and leaves time for what is asked about. */
async function seldom(isSo: () => Promise<boolean>): Promise<void> {
  await vi.waitUntil(isSo, { interval: 250, timeout: 200_000 });
}

/**
 * MongoDB executes each write to `members`, but its answer never comes: the next is not sent before that one is given
 * up.
 */
async function loseProjections(mongo: TcpProxy): Promise<never> {
  for (;;) await mongo.cutAfter("there", { text: PROJECTION }, { silently: true });
}

/** One award for each of so many members. Each call is sent again until all of it is settled. */
async function sendAll(target: Target): Promise<SentAward[]> {
  const calls = Array.from({ length: CALLS }, (_, call) =>
    Array.from({ length: AWARDS_PER_CALL }, (_unused, index): SentAward => {
      const platformId = `m${call}-${index}`;
      return { platformId, key: platformId, amount: 1 + index, answers: [] };
    }),
  );
  const waiting = [...calls];
  const callAndCall = async (caller: number): Promise<void> => {
    const chance = chanceOf(seedOfRun() + caller);
    for (let open = waiting.shift(); open; open = waiting.shift()) {
      while (open.length > 0) open = await sendCall(target, open, 0, chance);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => callAndCall(caller)));
  return calls.flat();
}
