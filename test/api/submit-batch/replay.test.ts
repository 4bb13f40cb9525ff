import { describe, expect, test } from "vitest";
import { expectResponse, expectProblem, isReplayed } from "../../support/responses.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { testActor } from "../../support/actor.ts";
import { until } from "../../support/until.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port } = await useApi({ worker: true });

const KEY = { "idempotency-key": "k" };
const awards = [
  { platformId: "a", amount: 5 },
  { platformId: "b", amount: 6 },
];
const newClan = (): Promise<ClanCaller> => makeClanCaller(world, port);

/** The XP of everyone that these tests name, by reads that never lag. */
async function sumOf(clan: ClanCaller): Promise<number> {
  const replies = await Promise.all(["a", "b", "c", "A"].map((platformId) => clan.get(`/members/${platformId}`)));
  return replies.reduce((sum, { body }) => sum + Number(body.xp ?? 0), 0);
}

describe.concurrent("a batch with an idempotency key", () => {
  test("is applied once, and a retry returns the same result regardless of later changes and of respond-async", async () => {
    const clan = await newClan();
    const first = await clan.submit(awards, KEY);
    await clan.award("a", { amount: 1_000 });
    for (const prefer of ["wait=10", "respond-async", "wait=0"]) {
      const again = await clan.submit(awards, { ...KEY, prefer });
      expect(expectResponse("submit-batch", again)).toStrictEqual(expectResponse("submit-batch", first));
      expect([isReplayed(first), isReplayed(again)]).toStrictEqual([false, true]);
    }
    expect(await sumOf(clan)).toBe(1_011);
  });

  test("is applied again for each request if the key is omitted", async () => {
    const clan = await newClan();
    for (let times = 0; times < 2; times += 1) expect(isReplayed(await clan.submit(awards))).toBe(false);
    expect(await sumOf(clan)).toBe(22);
  });

  test("is accepted once when 10 requests arrive at the same time on two processes, and all return its result", async () => {
    const clan = await newClan();
    const second = await world.startApi();
    const sides = [clan, clan.on(second.port)];
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => (sides[index % 2] ?? clan).submit(awards, KEY)),
    );
    expect(replies.filter((reply) => !isReplayed(reply))).toHaveLength(1);
    for (const reply of replies) expect(expectResponse("submit-batch", reply)).toStrictEqual(replies[0]?.body);
    expect(await sumOf(clan)).toBe(11);
  });

  test("does not conflict with the same key of another clan", async () => {
    const [clan, other] = [await newClan(), await newClan()];
    for (const caller of [clan, other]) expect(isReplayed(await caller.submit(awards, KEY))).toBe(false);
  });

  test("matches a retry with equivalent JSON: other field order, unknown fields, other number notation", async () => {
    const clan = await newClan();
    const first = await clan.submit([...awards, { platformId: "a", amount: 1_000 }], KEY);
    const body =
      '{"x":1,"awards":[{"amount":5.0,"platformId":"a","note":"n"},{"amount":6,"platformId":"b"},{"platformId":"a","amount":1e3}]}';
    const again = await clan.post("/xp", body, KEY);
    expect(isReplayed(again)).toBe(true);
    expect(expectResponse("submit-batch", again)).toStrictEqual(first.body);
  });

  test("does not bind the key if it was rejected", async () => {
    const clan = await newClan();
    const rejections = [
      await clan.post("/xp", "nonsense", KEY),
      await clan.post("/xp", {}, KEY),
      await clan.submit(Array.from({ length: 501 }), KEY),
      await clan.post("/xp", "x", { ...KEY, "content-type": "text/plain" }),
      await clan.with("x").post("/xp", { awards }, KEY),
    ];
    expect(rejections.map((reply) => reply.status)).toStrictEqual([400, 400, 413, 415, 401]);
    expect(isReplayed(await clan.submit(awards, KEY))).toBe(false);
  });
});

describe.concurrent("a retry of an accepted batch returns the stored result", () => {
  test("although it now exceeds the key's rate of awards, while other awards are rejected for the rate", async () => {
    const clan = await newClan();
    const five = [...awards, ...awards, awards[0]];
    const first = await clan.submit(five, KEY);
    const [key] = await world.keys.listOfClan(clan.clanId);
    // 4 awards together.
    await world.keys.limit(key?.keyId ?? "", { awardsPerSecond: 1 }, testActor);
    await until(async () => (await clan.submit(five)).status === 429);
    const again = await clan.submit(five, KEY);
    expect(expectResponse("submit-batch", again)).toStrictEqual(first.body);
    expect(isReplayed(again)).toBe(true);
    expectProblem(await clan.submit(five.slice(1).concat({ platformId: "c", amount: 1 }), KEY), 429, "rate_limited");
    const problem = expectProblem(await clan.submit(five, { "idempotency-key": "new" }), 429, "rate_limited");
    expect(problem.detail).not.toMatch(/split/i);
  });

  test("although the clan's bound, its membership rules or the key's scopes would now reject its awards", async () => {
    const clan = await newClan();
    const mixed = [...awards, { platformId: "a", amount: -1 }];
    const first = await clan.submit(mixed, KEY);
    expect(expectResponse("submit-batch", first).applied).toBe(3);
    await clan.change({ autoClan: false, amountMax: 1 });
    const { secret } = await world.makeKey(clan.clanId, ["award"]);
    const again = await clan.with(secret).post("/xp", { awards: mixed }, KEY);
    expect(expectResponse("submit-batch", again)).toStrictEqual(first.body);
    expect(isReplayed(again)).toBe(true);
  });
});

describe.concurrent("an empty batch", () => {
  test("leaves no record if it has no idempotency key", async () => {
    const clan = await newClan();
    for (const prefer of ["wait=10", "respond-async"]) {
      expect(expectResponse("submit-batch", await clan.submit([], { prefer }))).toStrictEqual({
        applied: 0,
        results: [],
      });
    }
    expect(await world.database.db().collection("batches").countDocuments({ clanId: clan.clanId })).toBe(0);
  });

  test("binds its idempotency key", async () => {
    const clan = await newClan();
    const replies = [await clan.submit([], KEY), await clan.submit([], KEY)];
    for (const reply of replies)
      expect(expectResponse("submit-batch", reply)).toStrictEqual({ applied: 0, results: [] });
    expect(replies.map(isReplayed)).toStrictEqual([false, true]);
    expectProblem(await clan.submit(awards, KEY), 422, "idempotency_key_reused");
  });

  test("counts as one award against the rate", async () => {
    const reply = await (await newClan()).submit([]);
    // 20,000 together, or half of them if Redis is slow.
    expect(reply.headers.get("ratelimit")).toMatch(/"awards";r=1?9999;/);
  });
});

test("a key that is reused for other awards is rejected with 422 idempotency_key_reused, and nothing is applied", async () => {
  const [a, b] = awards;
  const others = {
    "no awards": [],
    "one award less": [a],
    "one award more": [a, b, { platformId: "c", amount: 1 }],
    "another order": [b, a],
    "another amount": [{ platformId: "a", amount: 6 }, b],
    "another member": [{ platformId: "A", amount: 5 }, b],
    "an invalid award": [{ platformId: "a", amount: "5" }, b],
    "an award that is null": [null, b],
  };
  const clan = await newClan();
  const first = await clan.submit(awards, KEY);
  for (const other of Object.values(others))
    for (const prefer of ["wait=10", "respond-async"])
      expectProblem(await clan.submit(other, { ...KEY, prefer }), 422, "idempotency_key_reused");
  expect(await sumOf(clan)).toBe(11);
  expect(expectResponse("submit-batch", await clan.submit(awards, KEY))).toStrictEqual(first.body);
});
