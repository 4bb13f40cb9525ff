import { afterAll, expect, onTestFinished, test } from "vitest";
import { makeAnnounceEvents } from "#redis/event-signal.ts";
import { redisNamespace } from "#redis/namespace.ts";
import type { Config } from "#process/config.ts";
import { CALLS_WAITING_MAX, CALLS_WAITING_PER_KEY_MAX } from "#events/bounds.ts";
import { testActor } from "../../support/actor.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { openProxies } from "../../support/proxies.ts";
import { expectProblem, expectResponse } from "../../support/responses.ts";
import { scrape } from "../../support/scrape.ts";
import { until } from "../../support/until.ts";
import { useApi } from "../../support/use-api.ts";
import { openTestRedis, testLog } from "../../support/world.ts";
import { eventsIn, expectWoken, insertEvents, readEvents, type Page } from "../../support/events.ts";

const { world, port: mainPort } = await useApi({ worker: true });

/** Far from the 25 s of a wait, and from what a busy machine takes. */
const EARLY_MS = 15_000;
const NO_REDIS = { redisUrl: "redis://127.0.0.1:1" };

/** A clan at a dedicated API, so that `waiting` counts this test's calls alone. */
async function makeWaiting(config: Partial<Config> = {}) {
  const api = await world.startApi({ config });
  onTestFinished(() => api.close());
  const clan = await makeClanCaller(world, api.port);
  const waiting = async (): Promise<number> => (await scrape(api.opsPort)).series.get("clanxp_event_waiters") ?? -1;
  return { api, clan, waiting, untilWaiting: (calls: number) => until(async () => (await waiting()) === calls) };
}

/** What a call gives that is answered long before its wait could end. */
async function early<Result>(promise: Promise<Result>): Promise<Result> {
  const beganAt = performance.now();
  const result = await promise;
  expect(performance.now() - beganAt).toBeLessThan(EARLY_MS);
  return result;
}

const redis = openTestRedis(world.redisUrl);
afterAll(() => redis.quit());
const announce = makeAnnounceEvents({ redis, namespace: redisNamespace(world.mongoUrl), log: testLog });

const rankUp = (clan: ClanCaller) => clan.award("1", { amount: 100 });
const typesOf = ({ events }: Page) => events.map(({ type }) => type);

test("a call with wait is answered as soon as there is an event, after which it reads on", async () => {
  const { clan, untilWaiting } = await makeWaiting();
  const call = early(readEvents(clan, "?wait=25"));
  await untilWaiting(1);
  expectResponse("apply-award", await rankUp(clan));
  const page = await call;
  expect(typesOf(page)).toStrictEqual(["member.joined", "member.rank_changed"]);
  const again = readEvents(clan, `?wait=25&after=${page.cursor}`);
  await untilWaiting(1);
  await clan.award("1", { amount: 5 });
  await clan.award("1", { amount: 900 });
  expect((await again).events).toMatchObject([{ data: { rank: "Veteran", previousRank: "Recruit", seq: 3 } }]);
  await untilWaiting(0);
  await expectWoken(clan);
});

test("a call with wait is answered at its end without an event of its types, and has passed the others", async () => {
  const { clan, untilWaiting } = await makeWaiting();
  const { cursor } = await readEvents(clan, "?after=now");
  // Long enough to wait still when events are inserted, and to look for them before its end.
  const beganAt = performance.now();
  const call = early(readEvents(clan, `?wait=8&types=member.left&after=${cursor}`));
  await untilWaiting(1);
  await insertEvents(world, clan, 2);
  const page = await call;
  expect(page).toStrictEqual({ events: [], cursor: expect.any(String), hasMore: false });
  expect(performance.now() - beganAt).toBeGreaterThan(7_900);
  expect((await readEvents(clan, `?after=${cursor}`)).events).toHaveLength(2);
  expect((await readEvents(clan, `?after=${page.cursor}`)).events).toStrictEqual([]);
});

test("a call with wait that finds an event, or whose cursor has expired, does not wait", async () => {
  const { clan } = await makeWaiting();
  await rankUp(clan);
  await until(async () => (await readEvents(clan)).events.length === 2);
  const { cursor } = await readEvents(clan);
  await early(readEvents(clan, "?wait=25&types=member.rank_changed"));
  await eventsIn(world).deleteMany({ "_id.clanId": clan.clanId });
  expectProblem(await early(clan.get(`/events?wait=25&after=${cursor}`)), 410, "cursor_expired");
});

test("an API that stops answers its waiting calls with 200 and no events, and those that begin to wait", async () => {
  const { api, clan, untilWaiting } = await makeWaiting();
  const call = early(readEvents(clan, "?wait=25"));
  await untilWaiting(1);
  await api.close();
  expect(await call).toMatchObject({ events: [], hasMore: false });
});

test("200 calls of a key and 500 of a process wait and are woken together, and further ones do not wait", async () => {
  const { clan, untilWaiting } = await makeWaiting();
  const more = await Promise.all([1, 2].map(() => world.makeKey(clan.clanId)));
  const keys = [clan.key, ...more.map(({ secret }) => secret)];
  const calls: Promise<Page>[] = [];
  for (const [index, key] of keys.entries()) {
    const caller = clan.with(key);
    const room = Math.min(CALLS_WAITING_PER_KEY_MAX, CALLS_WAITING_MAX - index * CALLS_WAITING_PER_KEY_MAX);
    calls.push(...Array.from({ length: room }, () => readEvents(caller, "?wait=25")));
    await untilWaiting(calls.length);
    expect(await early(readEvents(caller, "?wait=25"))).toMatchObject({ events: [], hasMore: false });
  }
  expect(calls).toHaveLength(CALLS_WAITING_MAX);
  await rankUp(clan);
  const pages = await Promise.all(calls);
  const types = new Set(pages.map((page) => typesOf(page).join()));
  expect([...types]).toStrictEqual(["member.joined,member.rank_changed"]);
});

test("a caller who disconnects waits no longer", async () => {
  const { api, clan, untilWaiting } = await makeWaiting();
  const gone = new AbortController();
  const call = fetch(`http://127.0.0.1:${api.port}/v0/clans/${clan.clanId}/events?wait=25`, {
    headers: { authorization: `Bearer ${clan.key}` },
    signal: gone.signal,
  });
  await untilWaiting(1);
  gone.abort();
  await expect(call).rejects.toMatchObject({ name: "AbortError" });
  await early(untilWaiting(0));
});

test("a caller whose key is revoked while they wait receives 401, and no event", async () => {
  const { clan, untilWaiting } = await makeWaiting();
  const { keyId, secret } = await world.makeKey(clan.clanId);
  const call = clan.with(secret).get("/events?wait=25");
  await untilWaiting(1);
  await world.keys.revoke(keyId, new Date(), testActor);
  await until(async () => (await clan.with(secret).get("")).status === 401);
  await rankUp(clan);
  expectProblem(await call, 401, "key_revoked");
});

test("an API without Redis wakes its waiting calls, too", async () => {
  const { clan, untilWaiting } = await makeWaiting(NO_REDIS);
  const call = early(readEvents(clan, "?wait=25"));
  await untilWaiting(1);
  await rankUp(clan);
  expect((await call).events).toHaveLength(2);
});

test("a call that waits while MongoDB does not respond is answered at its end, and reads on afterwards", async () => {
  const proxies = await openProxies(world);
  onTestFinished(() => proxies.close());
  const { clan, untilWaiting } = await makeWaiting({ mongoUrl: proxies.config.mongoUrl });
  const call = early(readEvents(clan, "?wait=6"));
  await untilWaiting(1);
  proxies.mongo.hold();
  const page = await call;
  expect(page).toMatchObject({ events: [], hasMore: false });
  proxies.mongo.release();
  await clan.on(mainPort).award("1", { amount: 100 });
  await until(async () => (await clan.get(`/events?after=${page.cursor}`)).body.events?.length === 2);
});

test("an event costs the same few reads however many calls wait, whatever their types and limits", async () => {
  const { api, clan, untilWaiting } = await makeWaiting();
  const types = ["member.left", "batch.done", "reversal.done"];
  const query = (index: number) => `?wait=25&types=${types[index % types.length]}&limit=${1 + (index % 200)}`;
  const calls = Array.from({ length: 60 }, (_, index) => readEvents(clan, query(index)));
  const wanted = [1, 2].map((limit) => readEvents(clan, `?wait=25&types=events.erased&limit=${limit}`));
  await untilWaiting(calls.length + wanted.length);
  const db = world.database.db();
  await db.command({ profile: 2 });
  await insertEvents(world, clan, 2);
  await announce(clan.clanId);
  const [first, both] = await Promise.all(wanted);
  expect([first, both].map((page) => [page?.events.length, page?.hasMore])).toStrictEqual([
    [1, true],
    [2, false],
  ]);
  await db.command({ profile: 0 });
  const ofClan = ["_id.clanId", "_id.$gt.clanId"].map((path) => ({ [`command.filter.${path}`]: clan.clanId }));
  const reads = { op: "query", ns: `${db.databaseName}.events`, $or: ofClan };
  // The newest one, the position, what is behind it; as many for each look that was due anyway, and the test's own.
  expect(await db.collection("system.profile").countDocuments(reads)).toBeLessThan(calls.length / 3);
  const rest = await readEvents(clan, `?after=${first?.cursor}`);
  expect(rest.events).toStrictEqual(both?.events.slice(1));
  await api.close();
  for (const page of await Promise.all(calls)) expect(page).toMatchObject({ events: [], hasMore: false });
});
