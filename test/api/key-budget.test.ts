// What a key may award: the largest amount, and the sum of a UTC day over all processes.
import { beforeEach, describe, expect, test, type TestContext } from "vitest";
import type { KeyLimits } from "#domain/key-limits.ts";
import { AWARD_DEADLINE_MS } from "#ledger/bounds.ts";
import { expectResponse } from "../support/responses.ts";
import { testActor } from "../support/actor.ts";
import { makeClanCaller, PATIENT, type ClanCaller } from "../support/clan-caller.ts";
import type { Reply } from "../support/http.ts";
import { dayLongEnough } from "../support/same-day.ts";
import { answered, waitedFor } from "../support/second-attempt.ts";
import { until } from "../support/until.ts";
import { openProxies, sendUntilHeld } from "../support/proxies.ts";
import { useApi } from "../support/use-api.ts";
import { makeWorld } from "../support/world.ts";

const { world, port: firstPort } = await useApi({ worker: true });
const ports = [firstPort, (await world.startApi()).port] as const;
beforeEach(dayLongEnough);

/** A new clan whose key has this budget before any process knows it. */
async function budgeted(limits: Partial<KeyLimits>, changes = {}): Promise<ClanCaller> {
  const clan = await makeClanCaller(world, firstPort, changes);
  await world.keys.limit(keyIdOf(clan), limits, testActor);
  return clan;
}

/** A clan without strangers, whose key has a budget of 100 XP per day. */
async function closed(...members: string[]): Promise<ClanCaller> {
  const clan = await budgeted({ xpPerDay: 100 }, { autoClan: false });
  for (const platformId of members) await world.members.join({ clanId: clan.clanId, platformId }, new Date(), null);
  return clan;
}

const keyIdOf = ({ key }: ClanCaller): string => key.split("_")[1] ?? "";
const codeOf = ({ status, body }: Reply): [number, string | undefined] => [status, body.code];
const keyed = (key: string) => ({ "idempotency-key": key, ...PATIENT });
const statusesOf = (reply: Reply): string[] => reply.body.results.map((one: any) => one.error?.code ?? one.status);
const xpsOf = (reply: Reply): string[] => reply.body.results.map((one: any) => one.error?.code ?? one.xp);
const EXCEEDED = [403, "budget_exceeded"];

describe.concurrent("the largest amount per award of an API key (amountMax)", () => {
  test("accepts an amount at the bound of either sign, and rejects a larger one without applying anything", async () => {
    const clan = await budgeted({ amountMax: 100 });
    expectResponse("apply-award", await clan.award("m", { amount: 100 }));
    const rejected = await clan.award("m", { amount: 101 });
    expect(codeOf(rejected)).toEqual(EXCEEDED);
    expect(rejected.body.detail).toBe("The amounts of this API key are between -100 and 100. Nothing was applied.");
    expect(codeOf(await clan.award("m", { amount: -101 }))).toEqual(EXCEEDED);
    expectResponse("apply-award", await clan.award("m", { amount: -100 }));
    expect(await clan.xpOf("m")).toBe("0");
  });

  test("rejects one award of a call or a batch alone", async () => {
    const clan = await budgeted({ amountMax: 100 });
    const awards = [5, 101, 7].map((amount) => ({ platformId: "m", amount }));
    expect(statusesOf(await clan.awards(awards))).toStrictEqual(["applied", "budget_exceeded", "applied"]);
    expect(statusesOf(await clan.submit(awards, PATIENT))).toStrictEqual(["applied", "budget_exceeded", "applied"]);
    expect(await clan.xpOf("m")).toBe("24");
  });
});

describe.concurrent("the daily XP budget of an API key (xpPerDay)", () => {
  test("can be used up exactly, is not reduced by deductions, and names its renewal time in the error", async () => {
    const clan = await budgeted({ xpPerDay: 100 });
    expectResponse("apply-award", await clan.award("m", { amount: 60 }, keyed("k")));
    // Another payload is no second attempt at the award, and does not wait for it.
    expect(codeOf(await clan.award("m", { amount: 59 }, keyed("k")))).toEqual(EXCEEDED);
    const rejected = await clan.award("m", { amount: 41 });
    expect(codeOf(rejected)).toEqual(EXCEEDED);
    expect(rejected.body.detail).toMatch(/can award 100 XP per UTC day.* renews at \d{4}-\d\d-\d\dT00:00:00\.000Z\.$/);
    expectResponse("apply-award", await clan.award("m", { amount: 40 }));
    expectResponse("apply-award", await clan.award("m", { amount: -50 }));
    expect(codeOf(await clan.award("m", { amount: 1 }))).toEqual(EXCEEDED);
    expectResponse("apply-award", await clan.award("m", { amount: 0 }));
    expect(await clan.xpOf("m")).toBe("50");
  });

  test("is enforced exactly across all processes and all endpoints", async () => {
    const clan = await budgeted({ xpPerDay: 200 });
    const other = clan.on(ports[1]);
    const five = (call?: number) =>
      Array.from({ length: 5 }, (_, index) => {
        const key = call === undefined ? {} : { idempotencyKey: `${call}-${index}` };
        return { platformId: `m${index}`, amount: 3, ...key };
      });
    const replies = await Promise.all(
      Array.from({ length: 24 }, (_, index) => {
        const at = index % 2 === 0 ? clan : other;
        return answered(() =>
          index % 3 === 0
            ? at.awards(five(index))
            : index % 3 === 1
              ? at.submit(five(), keyed(`${index}`))
              : at.award(`m${index % 5}`, { amount: 3 }, keyed(`${index}`)),
        );
      }),
    );
    for (const reply of replies) expect([200, 403]).toContain(reply.status);
    const sums = await Promise.all(five().map(({ platformId }) => clan.xpOf(platformId)));
    // 88 awards of 3 were sent: as many as fit are applied.
    expect(sums.reduce((sum, xp) => sum + Number(xp), 0)).toBe(198);
    expectResponse("apply-award", await other.award("m0", { amount: 2 }));
    expect(codeOf(await clan.award("m0", { amount: 1 }))).toEqual(EXCEEDED);
  });

  test("does not count replays and never rejects them", async () => {
    const clan = await budgeted({ xpPerDay: 100 });
    const first = await clan.award("m", { amount: 50 }, keyed("k"));
    for (let times = 0; times < 3; times += 1)
      expect((await clan.award("m", { amount: 50 }, keyed("k"))).body).toEqual(first.body);
    const many = [{ platformId: "m", amount: 30, idempotencyKey: "j" }];
    for (let times = 0; times < 3; times += 1) expect((await clan.awards(many)).status).toBe(200);
    for (let times = 0; times < 3; times += 1) {
      expect(statusesOf(await clan.submit([{ platformId: "m", amount: 20 }], keyed("b")))).toStrictEqual(["applied"]);
    }
    expect(codeOf(await clan.award("m", { amount: 1 }))).toEqual(EXCEEDED);
    expect((await clan.award("m", { amount: 50 }, keyed("k"))).body).toEqual(first.body);
    expect(statusesOf(await clan.awards(many))).toStrictEqual(["replayed"]);
    expect(statusesOf(await clan.submit([{ platformId: "m", amount: 20 }], keyed("b")))).toStrictEqual(["applied"]);
    expect(await clan.xpOf("m")).toBe("100");
  });

  test("counts one award once if several endpoints and processes receive it at the same time, with equal responses", async () => {
    const clan = await budgeted({ xpPerDay: 100 });
    const other = clan.on(ports[1]);
    const call = [{ platformId: "m", amount: 100, idempotencyKey: "k" }];
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, index) => {
        const at = index % 2 === 0 ? clan : other;
        return waitedFor(() => (index % 4 < 2 ? at.award("m", { amount: 100 }, keyed("k")) : at.awards(call)));
      }),
    );
    expect(replies.map(({ status }) => status)).toStrictEqual(replies.map(() => 200));
    const got = replies.map(({ body }) => body.results?.[0] ?? body);
    expect(new Set(got.map(({ xp }) => xp))).toStrictEqual(new Set(["100"]));
    expect(codeOf(await clan.award("m", { amount: 1 }, keyed("another")))).toEqual(EXCEEDED);
  });

  test("counts one batch once if several processes receive it at the same time, with equal responses", async () => {
    const clan = await budgeted({ xpPerDay: 100 });
    const other = clan.on(ports[1]);
    const batch = Object.entries({ m: 60, n: 40 }).map(([platformId, amount]) => ({ platformId, amount }));
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => waitedFor(() => (index % 2 ? other : clan).submit(batch, keyed("b")))),
    );
    for (const reply of replies) expect(statusesOf(reply)).toStrictEqual(["applied", "applied"]);
    expect(await clan.xpOf("m")).toBe("60");
  });

  test("counts an award that occurs twice in a call once, and rejects it both times if it exceeds the budget", async () => {
    const clan = await budgeted({ xpPerDay: 1_000 });
    const twice = (amount: number, idempotencyKey: string) =>
      [0, 1].map(() => ({ platformId: "m", amount, idempotencyKey }));
    expect(statusesOf(await clan.awards(twice(600, "k")))).toStrictEqual(["applied", "replayed"]);
    const beyond = await clan.awards([...twice(401, "l"), { platformId: "m", amount: 400 }]);
    expect(statusesOf(beyond)).toStrictEqual(["budget_exceeded", "budget_exceeded", "applied"]);
    expect(await clan.xpOf("m")).toBe("1000");
  });

  test("does not mistake what the request has just counted for an earlier request with the same award or batch", async () => {
    const clan = await closed("a", "m");
    const sent = Object.entries({ a: 30, stranger: 60, m: 80 }).map(([platformId, amount]) => ({ platformId, amount }));
    const expected = ["applied", "member_not_found", "budget_exceeded"];
    expect(statusesOf(await clan.submit(sent, keyed("k")))).toStrictEqual(expected);
    const sameKey = [
      { platformId: "m", amount: 30, idempotencyKey: "k" },
      { platformId: "stranger", amount: 40 },
      { platformId: "m", amount: 60, idempotencyKey: "k" },
    ];
    expect(statusesOf(await clan.awards(sameKey))).toStrictEqual(expected);
  });

  test("applies an award that fits after others were rejected, before the later awards of its member", async () => {
    const clan = await closed("m");
    const amounts = [60, 60, -10, 40, 1];
    const sent = ["stranger", "m", "m", "m", "m"].map((platformId, index) => ({ platformId, amount: amounts[index] }));
    const got = xpsOf(await clan.awards(sent));
    expect(got).toStrictEqual(["member_not_found", "60", "50", "90", "budget_exceeded"]);
  });

  test("is not reduced by several awards to players without a membership, and keeps the order of a member's awards", async () => {
    for (const endpoint of ["awards", "submit"] as const) {
      const clan = await closed("m");
      const amounts = [60, 80, 90, -10, 10];
      const sent = ["one", "two", "m", "m", "m"].map((platformId, index) => ({ platformId, amount: amounts[index] }));
      const got = xpsOf(await (endpoint === "awards" ? clan.awards(sent) : clan.submit(sent, PATIENT)));
      expect(got).toStrictEqual(["member_not_found", "member_not_found", "90", "80", "90"]);
    }
  });

  test("does not count awards that are rejected for another reason", async () => {
    const clan = await closed("m");
    expect(codeOf(await clan.award("stranger", { amount: 90 }))).toEqual([404, "member_not_found"]);
    expect(statusesOf(await clan.awards([{ platformId: "stranger", amount: 90 }]))).toStrictEqual(["member_not_found"]);
    const batch = await clan.submit([{ platformId: "stranger", amount: 90 }], PATIENT);
    expect(statusesOf(batch)).toStrictEqual(["member_not_found"]);
    expectResponse("apply-award", await clan.award("m", { amount: 100 }));
    expect(await clan.xpOf("m")).toBe("100");
  });

  test("survives the loss of Redis data", async () => {
    const own = await makeWorld();
    try {
      const clan = await makeClanCaller(own, (await own.startApi()).port);
      await own.keys.limit(keyIdOf(clan), { xpPerDay: 10 }, testActor);
      expectResponse("apply-award", await clan.award("m", { amount: 10 }));
      await own.emptyRedis();
      const elsewhere = clan.on((await own.startApi({ config: { redisUrl: "redis://127.0.0.1:1" } })).port);
      for (const at of [clan, elsewhere]) expect(codeOf(await at.award("m", { amount: 1 }))).toEqual(EXCEEDED);
    } finally {
      await own.close();
    }
  });

  test("is checked after the scope and before the membership", async () => {
    const clan = await budgeted({ amountMax: 100 }, { autoClan: false });
    const { keyId, secret } = await world.makeKey(clan.clanId, ["award"]);
    await world.keys.limit(keyId, { amountMax: 10, xpPerDay: 10 }, testActor);
    const noDeduct = clan.with(secret);
    expect(codeOf(await noDeduct.post("/members/stranger/xp", { amount: -11 }))).toEqual([403, "scope_missing"]);
    expect(codeOf(await noDeduct.post("/members/stranger/xp", { amount: 11 }))).toEqual(EXCEEDED);
    expect(codeOf(await noDeduct.post("/members/stranger/xp", { amount: 10 }))).toEqual([404, "member_not_found"]);
  });
});

describe.concurrent("while MongoDB does not respond to an operation on a daily budget", () => {
  /** A clan at an API whose connections to MongoDB can be kept back, until the test in question ends. */
  async function onProxies({ onTestFinished }: TestContext, changes = {}) {
    const proxies = await openProxies(world);
    onTestFinished(() => proxies.close());
    const { port } = await world.startApi({ config: { mongoUrl: proxies.config.mongoUrl } });
    const clan = (await budgeted({ xpPerDay: 100 }, changes)).on(port);
    expect((await clan.get("/members/m")).status).toBe(404);
    return { clan, mongo: proxies.mongo };
  }

  async function inTime(pending: Promise<Reply>): Promise<Reply> {
    const beganAtMs = performance.now();
    const reply = await pending;
    expect(performance.now() - beganAtMs).toBeLessThan(AWARD_DEADLINE_MS);
    return reply;
  }

  /** What was counted behind the answer is given back: all of it can be awarded. */
  async function expectWhole(clan: ClanCaller): Promise<void> {
    await until(async () => (await clan.award("member", { amount: 100 }, keyed("all"))).status === 200);
  }

  test("that counts an award or a batch, the API returns 503 within the deadline, and the XP is given back", async (context) => {
    await Promise.all(
      (["award", "batch"] as const).map(async (kind) => {
        const { clan, mongo } = await onProxies(context);
        const send = () =>
          kind === "award"
            ? clan.award("m", { amount: 90 }, keyed("k"))
            : clan.submit([{ platformId: "m", amount: 90 }], keyed("k"));
        const [reply, deliver] = await sendUntilHeld(mongo.holdBack("$push"), () => inTime(send()));
        expect(codeOf(reply)).toEqual([503, "unavailable"]);
        await deliver();
        await expectWhole(clan);
        expect((await clan.get("/members/m")).status).toBe(404);
      }),
    );
  });

  test("that gives XP back, the response does not wait, and the XP is given back later", async (context) => {
    const { clan, mongo } = await onProxies(context, { autoClan: false });
    await world.members.join({ clanId: clan.clanId, platformId: "member" }, new Date(), null);
    const held = mongo.holdBack("$pull");
    const rejected = await inTime(clan.award("m", { amount: 90 }, keyed("k")));
    expect(codeOf(rejected)).toEqual([404, "member_not_found"]);
    const deliver = await held;
    await deliver();
    await expectWhole(clan);
  });
});
