// Histories of the outbox by chance: data stores that throttle, fail, answer late and are overtaken, an API that does
// the same, and servers that die at any step, without a shutdown.
import { describe, expect, test } from "vitest";
import { chanceOf, type Chance } from "../../support/chance.ts";
import { seedOfRun } from "../../support/seed.ts";
import { makeAwardsApi, problem, type AwardsApi, type SentEntry } from "./support/awards-api.ts";
import { makeDataStores, type DataStores, type Trouble } from "./support/data-stores.ts";
import type { Answered, Respond } from "./support/game-server.ts";
import { startAt, takeOverTogether } from "./support/outbox.ts";
import type { Game, Ticket } from "./support/game.ts";

const HISTORIES = 4;
const CLOSING = 5;
const MEMBERS = 34;
const ROUNDS = 3;
const TAKING = 3;
const DEATHS = 15;
const troubles: readonly Trouble[] = ["throttled", "failed", "unanswered", "late", "overtaken"];
const LATE_SECONDS = 20;

/** A server that can die: from then on nothing that it sends is applied, and no answer reaches it. */
type Mortal = { game: Game; isDead(): boolean };

/** `steps`: calls of the data store and the API that it makes before it dies; at the last, `isApplied` by chance. */
async function startMortal(
  at: number,
  stores: DataStores,
  respond: Respond,
  { chance, steps }: { chance: Chance; steps: number },
): Promise<Mortal> {
  let left = steps;
  function live<Answer>(apply: () => Answer): Answer | "silence" {
    if (left <= 0) return "silence";
    left -= 1;
    if (left > 0) return apply();
    if (chance.hits(0.5)) apply();
    return "silence";
  }
  const mortalStores: DataStores = { ...stores, respond: (id, request) => live(() => stores.respond(id, request)) };
  const game = await startAt(at, mortalStores, (request) => live(() => respond(request)), {
    chance: chance.int(1, 2 ** 30),
  });
  return { game, isDead: () => left <= 0 };
}

/** Fails in `share` of the calls, in each way that leaves open whether it was applied, or says that it was not. */
function troubledApi(chance: Chance, share: { now: number }): AwardsApi {
  return makeAwardsApi((_, request, apply): Answered | undefined => {
    if (!chance.hits(share.now)) return undefined;
    switch (chance.int(0, 6)) {
      case 0:
        return problem(503, "unavailable");
      case 1:
        return problem(429, "rate_limited", {}, { "retry-after": "7" });
      case 2:
        return { raise: "HttpError: ConnectFail" };
      case 3:
        apply();
        return { raise: "HttpError: Timedout" };
      case 4:
        apply();
        return "silence";
      case 5:
        return { response: apply(), afterSeconds: LATE_SECONDS };
      default:
        return failEntries(JSON.parse(request.body ?? "") as { awards: SentEntry[] });
    }
  });
}

/** Each award fails by itself. */
function failEntries({ awards }: { awards: readonly SentEntry[] }): Response {
  const error = { code: "unavailable", detail: "It is unavailable." };
  const results = awards.map(({ platformId }, index) => ({ index, platformId, status: "failed", error }));
  return Response.json({ applied: 0, results });
}

/** The awards of a server that closes, and where each of them was at its end. */
async function closeServer(number: number, { game }: Mortal, chance: Chance): Promise<Ticket[]> {
  for (let player = 1; player <= MEMBERS; player += 1) await game.join(player);
  await game.run(`
    tickets = {}
    for round = 1, ${ROUNDS} do
      for player = 1, ${MEMBERS} do
        local options = { Cause = "${number}-" .. round, Reason = "round " .. round }
        table.insert(tickets, clan:Award(player, ${number * ROUNDS} + round, options))
      end
      task.wait(${chance.int(0, 6)})
    end`);
  expect(await game.shutDown()).toBeLessThanOrEqual(26);
  const tickets: Ticket[] = await game.run("return tickets");
  const dropped = new Set((await game.dropped()).map(({ ticket }) => ticket.IdempotencyKey));
  expect(tickets.filter(({ Status }) => Status === "pending")).toStrictEqual([]);
  for (const { IdempotencyKey, Status } of tickets) expect(dropped.has(IdempotencyKey)).toBe(Status === "dropped");
  return tickets;
}

/** Lets servers take over and die, until so many have died. */
async function dieWhileTakingOver(stores: DataStores, api: AwardsApi, chance: Chance): Promise<number> {
  let at = 3600;
  const start = () => startMortal(at, stores, api.respond, { chance, steps: chance.int(2, 40) });
  const servers = await Promise.all(Array.from({ length: TAKING }, start));
  let died = 0;
  for (let seconds = 0; died < DEATHS && stores.entries.size > 0 && seconds < 3600; seconds += 5) {
    at += 5;
    await Promise.all(servers.map(({ game }) => game.advance(5)));
    for (const [index, server] of servers.entries()) {
      if (!server.isDead()) continue;
      died += 1;
      servers[index] = await start();
    }
  }
  return died;
}

describe("the outbox of the Roblox client", () => {
  const seeds = Array.from({ length: HISTORIES }, (_, index) => seedOfRun() + index);
  test.each(seeds)(
    "loses, doubles and swaps nothing that it has stored (seed %i)",
    { timeout: 240_000 },
    async (seed) => {
      const chance = chanceOf(seed);
      const share = { now: 0.15 };
      const stores = makeDataStores({ trouble: () => (chance.hits(share.now) ? chance.pick(troubles) : undefined) });
      const outage = { now: 1 };
      const api = troubledApi(chance, outage);
      const tickets: Ticket[] = [];
      for (let number = 0; number < CLOSING; number += 1) {
        const steps = chance.hits(0.4) ? chance.int(1, 60) : Infinity;
        const server = await startMortal(number * 60, stores, api.respond, { chance, steps });
        tickets.push(...(await closeServer(number, server, chance)));
      }
      const kept = tickets.filter(({ Status }) => Status === "Kept");
      expect(kept.length).toBeGreaterThan(0);

      // Awards that were applied during the outage may overtake stored ones.
      const overtaking = new Set(api.counted.keys());
      outage.now = 0.2;
      await dieWhileTakingOver(stores, api, chance);
      [outage.now, share.now] = [0.05, 0.05];
      const last = await Promise.all(
        [1, 2].map(() => startMortal(10_800, stores, api.respond, { chance, steps: Infinity })),
      );
      await takeOverTogether(
        stores,
        last.map(({ game }) => game),
        7200,
      );
      expect(stores.entries.size).toBe(0);

      // An API counts a key once: what was doubled would have another key, or another payload.
      const made = new Map(tickets.map((ticket) => [`${ticket.PlatformId} ${ticket.IdempotencyKey}`, ticket]));
      const first = new Map<string, SentEntry>();
      for (const entry of api.calls.flat()) {
        const id = `${entry.platformId} ${entry.idempotencyKey}`;
        expect(made.get(id)?.Amount).toBe(entry.amount);
        expect(first.get(id) ?? entry).toStrictEqual(entry);
        first.set(id, entry);
      }
      const lost = kept.filter(({ IdempotencyKey }) => !api.counted.has(IdempotencyKey));
      expect(lost).toStrictEqual([]);
      const keptKeys = new Set(kept.map(({ IdempotencyKey }) => IdempotencyKey)).difference(overtaking);
      const swapped = [];
      for (let player = 1; player <= MEMBERS; player += 1) {
        const applied = [...api.counted.entries()].flatMap(([key, amount]) =>
          keptKeys.has(key) && key.endsWith(`/${player}`) ? [amount] : [],
        );
        if (applied.join() !== applied.toSorted((a, b) => a - b).join()) swapped.push([player, applied]);
      }
      expect(swapped).toStrictEqual([]);
      for (const { game } of last) expect(await game.dropped()).toStrictEqual([]);
      expect(stores.shareUsed()).toBeLessThanOrEqual(0.25);
    },
  );

  test.each([5, 10, 15, 20, 30])(
    "keeps the order of a member whose awards failed one by one, for %i s",
    async (deadline) => {
      const stores = makeDataStores();
      const fail: Respond = ({ body = "" }) => failEntries(JSON.parse(body) as { awards: SentEntry[] });
      const game = await startAt(0, stores, fail, { config: `DeadlineSeconds = ${deadline}`, chance: seedOfRun() });
      await game.run(`for round = 1, 3 do
      for player = 1, ${MEMBERS} do clan:Award(player, round) end
    end`);
      // Its budget does not delay what is stored.
      for (let player = 1; player <= 15; player += 1) await game.join(player);
      await game.advance(120);
      const awards = new Map<string, number[]>();
      for (const key of [...stores.entries.keys()].toSorted()) {
        const value = JSON.parse(stores.entries.get(key)?.value ?? "") as { awards: string[] };
        for (const json of value.awards) {
          const { platformId, amount } = JSON.parse(json) as SentEntry;
          awards.set(platformId, [...(awards.get(platformId) ?? []), amount]);
        }
      }
      expect(awards.size).toBe(MEMBERS);
      for (const amounts of awards.values()) expect(amounts).toStrictEqual([1, 2, 3]);
    },
  );

  test("has at most 500 awards of a server, also if the data store was listed while it failed", async () => {
    const seen = { list: false };
    const stores = makeDataStores({
      trouble(_call, op) {
        seen.list ||= op === "list";
        return op === "set" && !seen.list ? "failed" : undefined;
      },
    });
    const fail: Respond = ({ body = "" }) => failEntries(JSON.parse(body) as { awards: SentEntry[] });
    // By this seed, it lists the data store 47 s after its start.
    const game = await startAt(0, stores, fail, { config: "DeadlineSeconds = 10, MaxPending = 2000", chance: 2 });
    for (let player = 1; player <= 30; player += 1) await game.join(player);
    await game.advance(15);
    for (const round of [1, 2]) {
      await game.run(`for player = 1, 30 do
        for index = 1, 15 do clan:Award(player, index, { Cause = "${round}-" .. index }) end
      end`);
      await game.advance(90);
      expect(seen.list).toBe(true);
    }
    const awards = [...stores.entries.values()].flatMap(
      ({ value }) => (JSON.parse(value) as { awards: string[] }).awards,
    );
    expect(awards).toHaveLength(500);
    expect(await game.dropped()).toHaveLength(400);
  });

  test("passes over a member on every page whose first awards another server has claimed", async () => {
    const stores = makeDataStores();
    const down: Respond = () => problem(503, "unavailable");
    for (let number = 0; number < 3; number += 1) {
      const server = await startMortal(number * 60, stores, down, { chance: chanceOf(number), steps: Infinity });
      await closeServer(number, server, chanceOf(number));
    }
    expect(stores.entries.size).toBeGreaterThan(100);
    // A page has 100 keys: it ends between those of a member.
    const straddling = [...stores.entries.keys()].toSorted()[100]?.replace(/[^/]*$/, "") ?? "";
    const [firstKey = ""] = [...stores.entries.keys()].toSorted().filter((key) => key.startsWith(straddling));
    for (const [key, entry] of stores.entries)
      if (key === firstKey || !key.startsWith(straddling))
        entry.value = JSON.stringify({ ...JSON.parse(entry.value), claimUntil: Date.parse("2027-01-01") / 1000 });
    const api = makeAwardsApi();
    const game = await startAt(3600, stores, api.respond);
    await game.advance(600);
    expect(game.warnings).toStrictEqual([]);
    expect(api.calls).toStrictEqual([]);
  });
});
