import { describe, expect, test } from "vitest";
import { expectResponse, expectProblem, isReplayed } from "../../support/responses.ts";
import { makeClanCaller, PATIENT, type ClanCaller } from "../../support/clan-caller.ts";
import type { Reply } from "../../support/http.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port } = await useApi();

const clanWith = (changes = {}): Promise<ClanCaller> => makeClanCaller(world, port, changes);
const under = (key: string): Record<string, string> => ({ "idempotency-key": key });

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
    expect(await clan.xpOf("m")).toBe("1040");
    expect(await clan.entriesOf("m")).toHaveLength(2);
  });

  test("returns the first response after ranks, floor, cap and Auto Clan changed", async () => {
    const clan = await clanWith();
    const first = await clan.awardChange("m", { amount: 150 }, under("k"));
    await clan.change({ ranks: [{ name: "Nobody", kind: "GUEST" }], xpFloor: 500n, xpCap: 600n, autoClan: false });
    expectReplay(await clan.awardChange("m", { amount: 150 }, under("k")), first);
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

  const same: [key: string, body: string, again: string][] = [
    ["less", '{"amount":5,"source":{}}', '{"amount":5}'],
    ["more", '{"amount":5}', '{"amount":5,"source":{}}'],
    [
      "order",
      '{"amount":5,"source":{"placeId":"p","matchId":"m"}}',
      '{"source":{"matchId":"m","placeId":"p"},"amount":5}',
    ],
    ["notation", '{"amount":1000}', '{"amount":1e3}'],
    ["zero", '{"amount":0}', '{"amount":-0.0}'],
    ["escape", '{"amount":5,"reason":"é"}', String.raw`{"amount":5,"reason":"\u00e9"}`],
  ];
  test("returns the first response if the same payload is written differently", async () => {
    const clan = await clanWith();
    for (const [key, body, again] of same) {
      const first = await clan.post("/members/m/xp", body, under(key));
      expectReplay(await clan.post("/members/m/xp", again, under(key)), first);
    }
  });
});

describe.concurrent("the scope of an idempotency key", () => {
  test("is one clan and one member", async () => {
    const [clan, other] = [await clanWith(), await clanWith()];
    const award = (caller: ClanCaller, member: string) => caller.award(member, { amount: 1 }, under("k"));
    for (const reply of [await award(clan, "a"), await award(clan, "b"), await award(other, "a")])
      expect([isReplayed(reply), reply.body.xp]).toStrictEqual([false, "1"]);
  });

  test("excludes batches, so that a caller cannot use the derived keys of a batch's awards", async () => {
    await world.startWorker();
    const clan = await clanWith();
    const awards = [{ platformId: "m", amount: 5 }];
    const accepted = await clan.submit(awards, { ...under("k"), prefer: "respond-async" });
    const { batchId } = expectResponse("submit-batch", accepted, 202);
    const guesses = [`${batchId}/0`, batchId, "k", `=${batchId}/0`];
    for (const guess of guesses) expect(isReplayed(await clan.award("m", { amount: 5 }, under(guess)))).toBe(false);
    expect(expectResponse("submit-batch", await clan.submit(awards, { ...under("k"), ...PATIENT })).applied).toBe(1);
    for (const guess of guesses) expect(isReplayed(await clan.award("m", { amount: 5 }, under(guess)))).toBe(true);
    expect(await clan.xpOf("m")).toBe("25");
  });
});

describe.concurrent("an idempotency key is not bound by a request that is rejected", () => {
  test("with 400, 401, 403, 413 or 415", async () => {
    const clan = await clanWith();
    const weak = clan.with((await world.makeKey(clan.clanId, ["award"])).secret);
    const path = "/members/m/xp";
    const requests: [status: number, Promise<Reply>][] = [
      [400, clan.award("m", { amount: "x" }, under("k"))],
      [400, clan.award("m", { amount: 2_000_000 }, under("k"))],
      [400, clan.post(`${path}?include=x`, { amount: 1 }, under("k"))],
      [401, clan.with("x").post(path, { amount: 1 }, under("k"))],
      [403, weak.post(path, { amount: -1 }, under("k"))],
      [413, clan.post(path, " ".repeat(300_000), under("k"))],
      [415, clan.post(path, "x", { ...under("k"), "content-type": "text/plain" })],
    ];
    for (const [status, request] of requests) expect((await request).status).toBe(status);
    const reply = await clan.award("m", { amount: 3 }, under("k"));
    expect([expectResponse("apply-award", reply).xp, isReplayed(reply)]).toStrictEqual(["3", false]);
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
