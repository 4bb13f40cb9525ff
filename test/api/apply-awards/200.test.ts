import { describe, expect, test } from "vitest";
import { expectResponse, expectProblem } from "../../support/responses.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import type { Reply } from "../../support/http.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port } = await useApi();

const clanWith = (changes = {}): Promise<ClanCaller> => makeClanCaller(world, port, changes);
const rejected = (index: number, platformId: string, code: string) => ({
  index,
  platformId,
  status: "rejected",
  error: { code, detail: expect.any(String) },
});
const resultsOf = (reply: Reply): any[] => expectResponse("apply-awards", reply).results;
const statusesOf = (reply: Reply): string[] => resultsOf(reply).map(({ status, error }) => error?.code ?? status);

describe.concurrent("POST …/awards", () => {
  test("applies each award to its own member, creates memberships, and returns results in request order", async () => {
    const clan = await clanWith();
    const source = { placeId: "1", matchId: "m", verified: true };
    const reply = await clan.awards([
      { platformId: "a", amount: 99, reason: "won", source },
      { platformId: "b", amount: 100 },
      { platformId: "c", amount: -5, idempotencyKey: "k" },
    ]);
    expect(expectResponse("apply-awards", reply)).toStrictEqual({
      applied: 3,
      results: [
        { index: 0, platformId: "a", status: "applied", xp: "99", rank: "Guest" },
        { index: 1, platformId: "b", status: "applied", xp: "100", rank: "Recruit" },
        { index: 2, platformId: "c", status: "applied", xp: "0", rank: "Guest" },
      ],
    });
    expect(reply.headers.has("idempotency-replayed")).toBe(false);
    expect(expectResponse("read-member", await clan.get("/members/b")).membership).not.toBeNull();
    const [entry] = await clan.entriesOf("a");
    expect(entry).toMatchObject({ amount: "99", reason: "won", source });
  });

  test("returns with include=change what the single-award endpoint returns", async () => {
    const [many, one] = [await clanWith(), await clanWith()];
    const [result] = resultsOf(await many.awards([{ platformId: "a", amount: 150 }], "?include=change"));
    const { change } = expectResponse("apply-award", await one.awardChange("a", { amount: 150 }));
    expect(result.change).toStrictEqual({ ...change, awardId: expect.stringMatching(/^awd_/) });
    const [entry] = await many.entriesOf("a");
    expect(entry.awardId).toBe(result.change.awardId);
  });

  test("applies several awards of one member in order, each with its own resulting XP", async () => {
    const clan = await clanWith();
    const amounts = [10, -30, 5, 7];
    const awards = amounts.flatMap((amount) => [
      { platformId: "m", amount },
      { platformId: "other", amount: 1 },
    ]);
    const results = resultsOf(await clan.awards(awards));
    const xps = results.filter(({ platformId }) => platformId === "m").map(({ xp }) => xp);
    expect(xps).toStrictEqual(["10", "0", "5", "12"]);
    expect((await clan.entriesOf("m")).map(({ amount }) => amount)).toStrictEqual(["7", "5", "-30", "10"]);
  });

  test("accepts 100 awards, even for one member", async () => {
    const clan = await clanWith();
    const many = Array.from({ length: 100 }, (_, index) => ({ platformId: `m${index}`, amount: 1 }));
    expect(expectResponse("apply-awards", await clan.awards(many)).applied).toBe(100);
    const hot = many.map((award) => ({ ...award, platformId: "hot" }));
    const xps = resultsOf(await clan.awards(hot)).map(({ xp }) => Number(xp));
    expect(xps).toStrictEqual(hot.map((_, index) => index + 1));
  });
});

describe.concurrent("a rejected award does not affect the other awards of a call", () => {
  test("if it fails with member_not_found, where the clan is not an Auto Clan", async () => {
    const clan = await clanWith({ autoClan: false });
    await world.members.join({ clanId: clan.clanId, platformId: "member" }, new Date(), null);
    const awards = ["stranger", "member", "stranger"].map((platformId) => ({ platformId, amount: 5 }));
    expect(expectResponse("apply-awards", await clan.awards(awards))).toStrictEqual({
      applied: 1,
      results: [
        rejected(0, "stranger", "member_not_found"),
        { index: 1, platformId: "member", status: "applied", xp: "5", rank: "Recruit" },
        rejected(2, "stranger", "member_not_found"),
      ],
    });
    expectProblem(await clan.get("/members/stranger"), 404, "member_not_found");
  });

  test("if it fails with scope_missing, and the call returns 200 even if all awards are rejected", async () => {
    const clan = await clanWith();
    const { secret } = await world.makeKey(clan.clanId, ["award"]);
    const awards = [5, -1, 0].map((amount) => ({ platformId: "m", amount }));
    const statuses = statusesOf(await clan.with(secret).post("/awards", { awards }));
    expect(statuses).toStrictEqual(["applied", "scope_missing", "applied"]);
    const deduction = await clan.with(secret).post("/awards", { awards: [{ platformId: "m", amount: -1 }] });
    expect(expectResponse("apply-awards", deduction)).toStrictEqual({
      applied: 0,
      results: [rejected(0, "m", "scope_missing")],
    });
    expect(await clan.xpOf("m")).toBe("5");
  });

  test("if it fails with idempotency_key_reused, also for a key of the same call", async () => {
    const clan = await clanWith();
    await clan.award("m", { amount: 1 }, { "idempotency-key": "old" });
    const awards = [
      { platformId: "m", amount: 2, idempotencyKey: "old" },
      { platformId: "m", amount: 3, idempotencyKey: "new" },
      { platformId: "m", amount: 4, idempotencyKey: "new" },
      { platformId: "m", amount: 3, reason: "r", idempotencyKey: "new" },
      { platformId: "n", amount: 4, idempotencyKey: "new" },
    ];
    const reused = "idempotency_key_reused";
    expect(statusesOf(await clan.awards(awards))).toStrictEqual([reused, "applied", reused, reused, "applied"]);
    expect(await clan.xpOf("m")).toBe("4");
  });
});
