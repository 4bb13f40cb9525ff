import { describe, expect, test } from "vitest";
import { XP_MAX } from "#domain/bounds.ts";
import { expectResponse, expectProblem } from "../../support/responses.ts";
import { makeClanCaller, PATIENT, type ClanCaller } from "../../support/clan-caller.ts";
import type { Reply } from "../../support/http.ts";
import { testActor } from "../../support/actor.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port } = await useApi();

const clanWith = (changes = {}): Promise<ClanCaller> => makeClanCaller(world, port, changes);
const under = (key: string): Record<string, string> => ({ "idempotency-key": key });
const isReplayed = (reply: Reply): boolean => reply.headers.get("idempotency-replayed") === "true";

/** `again` is the first answer, said again. */
function expectReplay(again: Reply, first: Reply): void {
  expect(expectResponse("apply-award", again)).toStrictEqual(expectResponse("apply-award", first));
  expect([isReplayed(first), isReplayed(again)]).toStrictEqual([false, true]);
}

describe.concurrent("an idempotent retry with the same key and payload", () => {
  test("returns the first response although later awards changed the XP, and applies the award once", async () => {
    const clan = await clanWith();
    const first = await clan.award("m", { amount: 40 }, under("k"));
    await clan.award("m", { amount: 1_000 });
    expectReplay(await clan.award("m", { amount: 40 }, under("k")), first);
    expect(expectResponse("read-member", await clan.get("/members/m")).xp).toBe("1040");
    expect(expectResponse("read-ledger", await clan.get("/members/m/ledger")).entries).toHaveLength(2);
  });

  test("returns the first response after ranks, floor, cap and Auto Clan changed", async () => {
    const clan = await clanWith();
    const first = await clan.awardChange("m", { amount: 150 }, under("k"));
    await clan.change({ ranks: [{ name: "Nobody", kind: "GUEST" }], xpFloor: 500n, xpCap: 600n, autoClan: false });
    expectReplay(await clan.awardChange("m", { amount: 150 }, under("k")), first);
  });

  test("returns the first response even if the XP to the next rank exceeds 64 bits", async () => {
    const farRank = { name: "Top", kind: "NORMAL", threshold: XP_MAX } as const;
    const clan = await clanWith({ ranks: [{ name: "Nobody", kind: "GUEST" }, farRank], xpFloor: null });
    const first = await clan.awardChange("m", { amount: -1 }, under("k"));
    expect(expectResponse("apply-award", first).change?.xpToNextRank).toBe(String(XP_MAX));
    expectReplay(await clan.awardChange("m", { amount: -1 }, under("k")), first);
  });

  test("includes the change only if the retry requests it", async () => {
    const clan = await clanWith();
    const first = await clan.award("m", { amount: 150 }, under("k"));
    const withChange = await clan.awardChange("m", { amount: 150 }, under("k"));
    expect(isReplayed(withChange)).toBe(true);
    const { change, ...rest } = expectResponse("apply-award", withChange);
    expect(rest).toStrictEqual(first.body);
    expect(change).toMatchObject({ applied: "150", previousXp: "0", membershipCreated: true });
    expectReplay(await clan.award("m", { amount: 150 }, under("k")), first);
  });

  test("returns the first response to another API key of the clan, and on another process", async () => {
    const clan = await clanWith();
    const second = await world.startApi();
    const first = await clan.award("m", { amount: 1 }, under("k"));
    const { secret } = await world.makeKey(clan.clanId);
    expectReplay(await clan.with(secret).post("/members/m/xp", { amount: 1 }, under("k")), first);
    expectReplay(await clan.on(second.port).award("m", { amount: 1 }, under("k")), first);
  });

  test("returns the first response although the amount bound, the key's scopes or its rate would reject it now", async () => {
    const clan = await clanWith({ amountMax: 5_000_000 });
    await clan.award("m", { amount: 4_000_000 });
    const first = await clan.award("m", { amount: -3_000_000 }, under("k"));
    const { secret } = await world.makeKey(clan.clanId, ["award"]);
    const spent = await world.makeKey(clan.clanId, ["award"]);
    await world.keys.limit(spent.keyId, { awardsPerSecond: 0 }, testActor);
    await clan.change({ amountMax: 1_000_000 });
    for (const key of [clan.key, secret, spent.secret]) {
      const again = await clan.with(key).post("/members/m/xp", { amount: -3_000_000 }, under("k"));
      expectReplay(again, first);
    }
    expect(expectResponse("read-ledger", await clan.get("/members/m/ledger")).entries).toHaveLength(2);
  });

  const same: [string, string, string][] = [
    ["the retry omits an empty source", '{"amount":5,"source":{}}', '{"amount":5}'],
    ["the retry adds an empty source", '{"amount":5}', '{"amount":5,"source":{}}'],
    [
      "the fields are in another order",
      '{"amount":5,"reason":"r","source":{"placeId":"p","matchId":"m"}}',
      '{"source":{"matchId":"m","placeId":"p"},"reason":"r","amount":5}',
    ],
    ["a number is in another notation", '{"amount":1000}', '{"amount":1e3}'],
    ["-0 is sent instead of 0", '{"amount":0}', '{"amount":-0.0}'],
    ["a character is escaped", '{"amount":5,"reason":"é"}', String.raw`{"amount":5,"reason":"\u00e9"}`],
  ];
  test.for(same)("returns the first response if %s", async ([, body, again]) => {
    const clan = await clanWith();
    const first = await clan.post("/members/m/xp", body, under("k"));
    expectReplay(await clan.post("/members/m/xp", again, under("k")), first);
  });

  test("applies the award once when 20 requests arrive at the same time on two processes", async () => {
    const clan = await clanWith();
    const second = await world.startApi();
    const sides = [clan, clan.on(second.port)];
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (sides[index % 2] ?? clan).awardChange("m", { amount: 7 }, under("k"))),
    );
    expect(replies.filter((reply) => !isReplayed(reply))).toHaveLength(1);
    for (const reply of replies) expect(reply.body).toStrictEqual(replies[0]?.body);
    expect(expectResponse("read-ledger", await clan.get("/members/m/ledger")).entries).toHaveLength(1);
  });
});

describe.concurrent("the scope of an idempotency key", () => {
  test("is one clan and one member", async () => {
    const [clan, other] = [await clanWith(), await clanWith()];
    const replies = [];
    for (const [caller, platformId] of [
      [clan, "a"],
      [clan, "b"],
      [other, "a"],
    ] as const) {
      replies.push(await caller.award(platformId, { amount: 1 }, under("k")));
    }
    expect(replies.map((reply) => [isReplayed(reply), reply.body.xp])).toStrictEqual([
      [false, "1"],
      [false, "1"],
      [false, "1"],
    ]);
  });

  test("excludes batches, so that a caller cannot use the derived keys of a batch's awards", async () => {
    await world.startWorker();
    const clan = await clanWith();
    const awards = [{ platformId: "m", amount: 5 }];
    const { batchId } = expectResponse(
      "submit-batch",
      await clan.submit(awards, { ...under("k"), prefer: "respond-async" }),
      202,
    );
    const guesses = [`${batchId}/0`, batchId, "k", `=${batchId}/0`];
    for (const guess of guesses) expect(isReplayed(await clan.award("m", { amount: 5 }, under(guess)))).toBe(false);
    expect(expectResponse("submit-batch", await clan.submit(awards, { ...under("k"), ...PATIENT })).applied).toBe(1);
    for (const guess of guesses) expect(isReplayed(await clan.award("m", { amount: 5 }, under(guess)))).toBe(true);
    expect(expectResponse("read-member", await clan.get("/members/m")).xp).toBe("25");
  });
});

describe.concurrent("an idempotency key is not bound by a request that is rejected", () => {
  const rejected: [string, (clan: ClanCaller, key: string) => Promise<Reply>, number][] = [
    ["400 for an invalid body", (clan, key) => clan.award("m", { amount: "x" }, under(key)), 400],
    [
      "400 for an amount beyond the clan's bound",
      (clan, key) => clan.award("m", { amount: 2_000_000 }, under(key)),
      400,
    ],
    ["400 for an invalid query", (clan, key) => clan.post("/members/m/xp?include=x", { amount: 1 }, under(key)), 400],
    ["401", (clan, key) => clan.with("x").post("/members/m/xp", { amount: 1 }, under(key)), 401],
    ["413", (clan, key) => clan.post("/members/m/xp", " ".repeat(300_000), under(key)), 413],
    ["415", (clan, key) => clan.post("/members/m/xp", "x", { ...under(key), "content-type": "text/plain" }), 415],
  ];
  test.for(rejected)("with %s", async ([, request, status]) => {
    const clan = await clanWith();
    expect((await request(clan, "k")).status).toBe(status);
    const reply = await clan.award("m", { amount: 3 }, under("k"));
    expect([expectResponse("apply-award", reply).xp, isReplayed(reply)]).toStrictEqual(["3", false]);
  });

  test("with 403 for a deduction without the scope", async () => {
    const clan = await clanWith();
    const { secret } = await world.makeKey(clan.clanId, ["award"]);
    expectProblem(await clan.with(secret).post("/members/m/xp", { amount: -1 }, under("k")), 403, "scope_missing");
    expect(isReplayed(await clan.award("m", { amount: 3 }, under("k")))).toBe(false);
  });

  test("with 404, even if the membership is created later", async () => {
    const clan = await clanWith({ autoClan: false });
    expectProblem(await clan.award("m", { amount: 3 }, under("k")), 404, "member_not_found");
    await world.members.join({ clanId: clan.clanId, platformId: "m" }, new Date(), null);
    const reply = await clan.award("m", { amount: 4 }, under("k"));
    expect([expectResponse("apply-award", reply).xp, isReplayed(reply)]).toStrictEqual(["4", false]);
  });

  test("with 422, which leaves the key bound to the first award", async () => {
    const clan = await clanWith();
    const first = await clan.award("m", { amount: 3 }, under("k"));
    expectProblem(await clan.award("m", { amount: 4 }, under("k")), 422, "idempotency_key_reused");
    expectReplay(await clan.award("m", { amount: 3 }, under("k")), first);
  });
});
