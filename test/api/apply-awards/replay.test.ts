import { describe, expect, test } from "vitest";
import { expectResponse, isReplayed } from "../../support/responses.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import type { Reply } from "../../support/http.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port } = await useApi();

const clanWith = (changes = {}): Promise<ClanCaller> => makeClanCaller(world, port, changes);
const resultsOf = (reply: Reply): any[] => expectResponse("apply-awards", reply).results;
const statusesOf = (reply: Reply): string[] => resultsOf(reply).map(({ status, error }) => error?.code ?? status);

describe.concurrent("awards with the same key and the same payload", () => {
  test("are replayed with the first result, even within one call, and count as applied", async () => {
    const clan = await clanWith();
    const award = { platformId: "m", amount: 150, idempotencyKey: "k" };
    const first = await clan.awards([award, { platformId: "m", amount: 1 }, award], "?include=change");
    expect(statusesOf(first)).toStrictEqual(["applied", "applied", "replayed"]);
    const again = await clan.awards([{ platformId: "m", amount: 7 }, award], "?include=change");
    const expected = { ...resultsOf(first)[0], index: 1, status: "replayed" };
    expect(expectResponse("apply-awards", again)).toMatchObject({
      applied: 2,
      results: [{ status: "applied" }, expected],
    });
    expect(resultsOf(first)[2]).toStrictEqual({ ...expected, index: 2 });
    expect(await clan.xpOf("m")).toBe("158");
  });

  const keys = ["k", "x".repeat(255), "~!#$%", 'a "quoted" \\ key', " "];
  test.for(keys)("are identical in the single-award endpoint and in POST …/awards for the key %j", async (key) => {
    const clan = await clanWith();
    const payload = { amount: 5, reason: "r", source: { matchId: "1" } };
    const header = { "idempotency-key": `"${key.replaceAll(/["\\]/g, "\\$&")}"` };
    const one = await clan.awardChange("one", payload, header);
    const call = async (platformId: string) =>
      resultsOf(await clan.awards([{ platformId, ...payload, idempotencyKey: key }], "?include=change"))[0];
    expect(await call("one")).toStrictEqual({ index: 0, status: "replayed", ...expectResponse("apply-award", one) });

    const many = await call("many");
    const asOne = await clan.awardChange("many", payload, header);
    expect(isReplayed(asOne)).toBe(true);
    expect({ index: 0, status: "applied", ...expectResponse("apply-award", asOne) }).toStrictEqual(many);
  });

  test("are applied once when two processes receive them at the same time, as a call and individually", async () => {
    const clan = await clanWith();
    const second = clan.on((await world.startApi()).port);
    const awards = Array.from({ length: 20 }, (_, index) => {
      return { platformId: `m${index % 5}`, amount: 1, idempotencyKey: `k${index}` };
    });
    const calls = [clan, second, clan, second].map((side) => side.awards(awards));
    const singles = awards.map(({ platformId, amount, idempotencyKey }) =>
      second.award(platformId, { amount }, { "idempotency-key": idempotencyKey }),
    );
    const answered = (await Promise.all(calls)).map(resultsOf);
    const alone = await Promise.all(singles);
    for (const [index, single] of alone.entries()) {
      const { xp } = expectResponse("apply-award", single);
      const entries = [
        ...answered.map((results) => results[index]),
        { xp, status: isReplayed(single) ? "replayed" : "applied" },
      ];
      expect(entries.map((result) => result.xp)).toStrictEqual(entries.map(() => xp));
      expect(entries.filter((result) => result.status === "applied")).toHaveLength(1);
      expect(entries.filter((result) => result.status === "replayed")).toHaveLength(entries.length - 1);
    }
    for (const index of [0, 1, 2, 3, 4]) expect(await clan.xpOf(`m${index}`)).toBe("4");
  });

  test("are replayed before errors for a bound, a scope or Auto Clan that changed later", async () => {
    const clan = await clanWith({ amountMax: 5_000_000 });
    const awards = [
      { platformId: "a", amount: 3_000_000, idempotencyKey: "k" },
      { platformId: "a", amount: -2_000_000, idempotencyKey: "d" },
      { platformId: "stranger", amount: 50, idempotencyKey: "k" },
    ];
    const first = await clan.awards(awards);
    const { secret } = await world.makeKey(clan.clanId, ["award"]);
    await clan.change({ amountMax: 1_000_000, autoClan: false });
    const again = await clan.with(secret).post("/awards", { awards });
    expect(resultsOf(again)).toStrictEqual(resultsOf(first).map((result) => ({ ...result, status: "replayed" })));
  });
});

test("POST …/awards binds no key of a rejected call or a rejected award", async () => {
  const clan = await clanWith({ autoClan: false });
  await world.members.join({ clanId: clan.clanId, platformId: "m" }, new Date(), null);
  const keyed = (platformId: string, amount: unknown) => ({ platformId, amount, idempotencyKey: "k" });
  expect((await clan.awards([keyed("m", 1), keyed("m", "x")])).status).toBe(400);
  expect((await clan.awards([keyed("m", 1), keyed("m", 2_000_000)])).status).toBe(400);
  const mixed = await clan.awards([keyed("stranger", 1), keyed("m", 2)]);
  expect(statusesOf(mixed)).toStrictEqual(["member_not_found", "applied"]);
  await world.members.join({ clanId: clan.clanId, platformId: "stranger" }, new Date(), null);
  expect(statusesOf(await clan.awards([keyed("stranger", 3), keyed("m", 2)]))).toStrictEqual(["applied", "replayed"]);
});
