import { describe, expect, test } from "vitest";
import { expectResponse } from "../../support/responses.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port } = await useApi({ worker: true });

const clanWith = (changes = {}): Promise<ClanCaller> => makeClanCaller(world, port, changes);
const give = (platformId: string, amount: number): object => ({ platformId, amount });
const applied = (index: number, platformId: string, xp: string, rank: string): object => ({
  index,
  platformId,
  status: "applied",
  xp,
  rank,
});
const rejected = (index: number, platformId: string | null, code: string): object => ({
  index,
  platformId,
  status: "rejected",
  error: { code, detail: expect.stringMatching(/\S{3}/) },
});

/** The answer to a batch of these entries. */
async function submit(clan: ClanCaller, awards: unknown): Promise<{ applied: number; results: any[] }> {
  return expectResponse("submit-batch", await clan.submit(awards));
}

describe.concurrent("the response to a batch", () => {
  test("contains exactly applied and 500 results in request order for a batch of 500 awards", async () => {
    const clan = await clanWith();
    const awards = Array.from({ length: 500 }, (_, index) => give(`m${index}`, index));
    const reply = await clan.submit(awards);
    expect(expectResponse("submit-batch", reply)).toStrictEqual({
      applied: 500,
      results: awards.map((_, index) => applied(index, `m${index}`, String(index), "Guest")),
    });
    expect(reply.headers.get("idempotency-replayed")).toBeNull();
  });

  test("contains each award's own resulting XP when one member has several awards", async () => {
    const clan = await clanWith({ xpCap: 200n });
    await world.members.join({ clanId: clan.clanId, platformId: "m" }, new Date(), null);
    const amounts = [50, 60, 100, -150, 0, 5];
    const answer = await submit(
      clan,
      amounts.map((amount) => give("m", amount)),
    );
    expect(answer.results.map(({ xp }) => xp)).toStrictEqual(["50", "110", "200", "50", "50", "55"]);
    expect(new Set(answer.results.map(({ rank }) => rank))).toStrictEqual(new Set(["Recruit"]));
    const awards = (await clan.entriesOf("m")).filter(({ kind }) => kind === undefined);
    expect(awards.map(({ amount }) => amount).toReversed()).toStrictEqual(amounts.map(String));
  });

  test("contains the appointed rank, the rank by XP, or the guest rank of each member", async () => {
    const clan = await clanWith();
    for (const [platformId, rank] of [
      ["chief", "Chief"],
      ["member", null],
    ] as const) {
      await world.members.join({ clanId: clan.clanId, platformId }, new Date(), rank);
    }
    const { results } = await submit(clan, [
      give("chief", 5),
      give("member", 1_000),
      give("member", -1),
      give("guest", 20_000),
    ]);
    expect(results.map(({ rank }) => rank)).toStrictEqual(["Chief", "Veteran", "Recruit", "Guest"]);
  });
});

describe.concurrent("each award of a batch", () => {
  const noObjects = [null, 5, "m", ["m", 5], {}];
  const noIds = [{ amount: 1 }, ...[null, 123, { $ne: null }].map((platformId) => ({ platformId, amount: 1 }))];
  const withoutId = [...noObjects, ...noIds, JSON.parse('{"__proto__":{"platformId":"m","amount":1}}')];
  const badIds = ["", ".", "..", "p".repeat(65), "a/b", "a\0b", "é😀", "$where", "p".repeat(10_000)];
  const badAmounts = [undefined, null, "5", 1.5, 1_000_001, -1_000_001, 1e300, { $inc: 5 }];
  const bad: [entry: unknown, platformId: string | null][] = [
    ...withoutId.map((entry): [unknown, null] => [entry, null]),
    ...badIds.map((platformId): [unknown, string] => [give(platformId, 1), platformId]),
    ...badAmounts.map((amount): [unknown, string] => [{ platformId: "m", amount }, "m"]),
    [{ platformid: "m", Amount: 1 }, null],
  ];
  test("is rejected alone with invalid_request, and its platformId is returned as sent, or null if it is no string", async () => {
    const clan = await clanWith();
    const answer = await submit(clan, [give("first", 1), ...bad.map(([entry]) => entry), give("last", 1)]);
    expect(answer).toStrictEqual({
      applied: 2,
      results: [
        applied(0, "first", "1", "Guest"),
        ...bad.map(([, platformId], index) => rejected(index + 1, platformId, "invalid_request")),
        applied(bad.length + 1, "last", "1", "Guest"),
      ],
    });
    // A worker applied them: the list follows within a second.
    const listed = async (): Promise<string[]> =>
      expectResponse("list-members", await clan.get("/members?sort=platformId")).members.map(
        (member: any) => member.platformId,
      );
    await expect.poll(listed).toStrictEqual(["first", "last"]);
  });

  test("is rejected with invalid_request if JSON parsing would round its amount", async () => {
    const clan = await clanWith();
    const entries = ["9007199254740993", "1e-400", "1.0000000000000000001", "123456.000000000001", "25.0", "1e3"];
    const reply = await clan.post(
      "/xp",
      `{"awards":[${entries.map((amount) => `{"platformId":"m","amount":${amount}}`).join()}]}`,
    );
    const { results } = expectResponse("submit-batch", reply);
    expect(results.map((result: any) => result.error?.code ?? result.xp)).toStrictEqual([
      ...Array(4).fill("invalid_request"),
      "25",
      "1025",
    ]);
  });

  test("is applied with the last value of a duplicate field", async () => {
    const clan = await clanWith();
    const reply = await clan.post(
      "/xp",
      '{"awards":[],"awards":[{"platformId":"x","platformId":"m","amount":"x","amount":7}]}',
    );
    expect(expectResponse("submit-batch", reply).results).toStrictEqual([applied(0, "m", "7", "Guest")]);
  });

  test("may have unknown fields, which are ignored, as are unknown fields of the body", async () => {
    const clan = await clanWith();
    const entry = { ...give("m", 5), reason: "r", source: { verified: 1 }, $where: "x", xp: "999", index: 7 };
    const reply = await clan.post("/xp", { awards: [entry], dryRun: true, $set: { xp: 9 }, clanId: "other" });
    expect(expectResponse("submit-batch", reply).results).toStrictEqual([applied(0, "m", "5", "Guest")]);
  });

  test("is rejected alone with scope_missing if its amount is negative and the API key lacks deduct", async () => {
    const clan = await clanWith();
    const { secret } = await world.makeKey(clan.clanId, ["award"]);
    const awards = [give("m", 5), give("m", -1), give("m", 0), give("m", -1_000_001), give("/", -1)];
    const reply = await clan.with(secret).post("/xp", { awards });
    expect(expectResponse("submit-batch", reply)).toStrictEqual({
      applied: 2,
      results: [
        applied(0, "m", "5", "Guest"),
        rejected(1, "m", "scope_missing"),
        applied(2, "m", "5", "Guest"),
        rejected(3, "m", "invalid_request"),
        rejected(4, "/", "invalid_request"),
      ],
    });
  });

  test("is rejected alone with member_not_found if the clan is not an Auto Clan, but with scope_missing if both apply", async () => {
    const clan = await clanWith({ autoClan: false });
    await world.members.join({ clanId: clan.clanId, platformId: "in" }, new Date(), null);
    const awards = [give("out", 1), give("in", 5), give("out", 0), give("in", 1), give("out", -1)];
    expect(await submit(clan, awards)).toStrictEqual({
      applied: 2,
      results: [
        rejected(0, "out", "member_not_found"),
        applied(1, "in", "5", "Recruit"),
        rejected(2, "out", "member_not_found"),
        applied(3, "in", "6", "Recruit"),
        rejected(4, "out", "member_not_found"),
      ],
    });
    expect((await clan.get("/members/out")).status).toBe(404);

    const { secret } = await world.makeKey(clan.clanId, ["award"]);
    const reply = await clan.with(secret).post("/xp", { awards: [give("out", -1)] });
    expect(expectResponse("submit-batch", reply).results).toStrictEqual([rejected(0, "out", "scope_missing")]);
  });
});

test("a batch changes XP but creates no membership for any XP, until the next single award above 0 creates it", async () => {
  const clan = await clanWith();
  const { results } = await submit(clan, [give("m", 50_000), give("m", 1)]);
  expect(results[1]).toStrictEqual(applied(1, "m", "50001", "Guest"));
  const { body } = await clan.get("/members/m");
  expect(body).toMatchObject({ xp: "50001", rank: "Guest", membership: null, nextRank: "Recruit", xpToNextRank: "0" });
  for (const amount of [0, -1]) {
    const { change } = expectResponse("apply-award", await clan.awardChange("m", { amount }));
    expect(change).toMatchObject({ membershipCreated: false, nextRank: "Recruit", xpToNextRank: "0" });
  }
  const { rank, change } = expectResponse("apply-award", await clan.awardChange("m", { amount: 1 }));
  expect([rank, change.membershipCreated, change.previousRank]).toStrictEqual(["Elite", true, "Guest"]);
});
