import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ClanXp } from "../../../clients/typescript/src/index.ts";
import { seedOfRun } from "../../support/seed.ts";
import { chanceOf } from "../../support/chance.ts";
import { applied, nowhere, problem, sentIn } from "./nowhere.ts";
import { makeRandomService } from "./random-service.ts";

const HISTORIES = 60;
beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test(
  "in any history, every award is settled once, sent in order, and applied as often as it was delivered",
  { timeout: 120_000 },
  async () => {
    const first = seedOfRun();
    for (let seed = first; seed < first + HISTORIES; seed += 1) await expectHistory(seed);
  },
);

test("with a rate below a full call, calls become smaller until they pass, and every award is delivered", async () => {
  const sizes: number[] = [];
  const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    const awards = sentIn(init);
    sizes.push(awards.length);
    return awards.length > 30 ? problem(429, "rate_limited", [], { "retry-after": "1" }) : applied(awards);
  };
  const queue = new ClanXp({ ...nowhere, fetch }).queue({ onDropped: () => {} });
  for (let index = 0; index < 100; index += 1) void queue.add(`p${index}`, 5);
  const closing = queue.close({ deadlineMs: 120_000 });
  await vi.advanceTimersByTimeAsync(120_000);
  expect(await closing).toStrictEqual({ delivered: 100, dropped: 0 });
  // The first rejections may be temporary: the call is sent again unchanged.
  expect(sizes.slice(0, 5)).toStrictEqual([100, 100, 100, 50, 25]);
});

async function expectHistory(seed: number): Promise<void> {
  const chance = chanceOf(seed);
  const ends = new Map<string, string[]>();
  const order = new Map<string, string[]>();
  const dropped: string[] = [];
  // Collected: what is thrown into the client it would take for a lost connection.
  const faults: string[] = [];
  const end = (key: string, how: string): void => void ends.set(key, [...(ends.get(key) ?? []), how]);

  const service = makeRandomService(chance, (entries) => {
    const inCall = new Set(entries.map(({ idempotencyKey }) => idempotencyKey));
    if (inCall.size !== entries.length) faults.push("an award twice in one call");
    for (const [index, { platformId, idempotencyKey }] of entries.entries()) {
      const before = (order.get(platformId) ?? []).slice(0, order.get(platformId)?.indexOf(idempotencyKey));
      const earlier = new Set(entries.slice(0, index).map((entry) => entry.idempotencyKey));
      const unsettled = before.filter((key) => !ends.has(key) && !earlier.has(key));
      if (unsettled.length > 0) faults.push(`${idempotencyKey} was sent before ${unsettled.join()}`);
    }
  });
  const maxEntries = chance.pick([1, 3, 100]);
  const deadlineMs = chance.pick([20_000, 300_000]);
  const clan = new ClanXp({ ...nowhere, fetch: service.fetch, timeoutMs: 2_000 });
  const queue = clan.queue({
    maxEntries,
    deadlineMs,
    flushMs: chance.int(0, 500),
    maxPending: 60,
    onDropped: (award) => dropped.push(award.idempotencyKey),
  });

  const members = chance.pick([1, 4, 40]);
  const added = chance.int(1, 80);
  for (let index = 0; index < added; index += 1) {
    const [platformId, idempotencyKey] = [`p${chance.int(0, members)}`, `k${index}`];
    order.set(platformId, [...(order.get(platformId) ?? []), idempotencyKey]);
    queue.add(platformId, index, { idempotencyKey }).then(
      () => end(idempotencyKey, "delivered"),
      () => end(idempotencyKey, "dropped"),
    );
    if (chance.hits(0.3)) await vi.advanceTimersByTimeAsync(chance.int(0, 2_000));
    if (chance.hits(0.05)) void queue.flush();
    if (index === Math.floor(added / 2) && chance.hits(0.5)) service.heal();
  }
  const closing = queue.close({ deadlineMs: chance.pick([0, 5_000, 25_000]) });
  // All deadlines have passed by then.
  await vi.advanceTimersByTimeAsync(30_000);
  const counts = await closing;

  const hows = [...ends.values()];
  expect(
    hows.every((one) => one.length === 1),
    `seed ${seed}`,
  ).toBe(true);
  expect(hows, `seed ${seed}`).toHaveLength(added);
  expect(counts, `seed ${seed}`).toStrictEqual({ delivered: added - dropped.length, dropped: dropped.length });
  expect(new Set(dropped), `seed ${seed}`).toStrictEqual(
    new Set([...ends].filter(([, [how]]) => how === "dropped").map(([key]) => key)),
  );
  expect(faults, `seed ${seed}`).toStrictEqual([]);
  expect(queue.pending).toBe(0);
  expect(service.mostOpen).toBeLessThanOrEqual(10);
  expect(Math.max(0, ...service.calls.map((entries) => entries.length))).toBeLessThanOrEqual(maxEntries);
  const amounts = [...service.applied.values()].flat();
  expect(new Set(amounts).size, `seed ${seed}`).toBe(amounts.length);
  const delivered = [...ends].filter(([, [how]]) => how === "delivered").map(([key]) => Number(key.slice(1)));
  expect(
    delivered.filter((amount) => !amounts.includes(amount)),
    `seed ${seed}`,
  ).toStrictEqual([]);
  // Nothing is left that would keep a process alive, but for what the service itself still has open.
  await vi.advanceTimersByTimeAsync(10_000);
  expect(vi.getTimerCount(), `seed ${seed}`).toBe(0);
}
