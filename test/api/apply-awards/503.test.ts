// Awards that fail one by one, by a member whose ledger entry nobody can read: the others in the call are applied.
import { beforeAll, expect, test } from "vitest";
import { expectResponse, expectProblem } from "../../support/responses.ts";
import { scrape } from "../../support/scrape.ts";
import { useApi } from "../../support/use-api.ts";

let opsPort: number;
const { world, clan: first } = await useApi();
let clan = first;
beforeAll(async () => {
  await clan.awards([{ platformId: "broken", amount: 5 }]);
  await setXp("many");
  // A process that remembers nothing reads what MongoDB holds now.
  const api = await world.startApi();
  opsPort = api.opsPort;
  clan = clan.on(api.port);
});

const setXp = (xp: unknown) =>
  world.database.db().collection("ledger").updateOne({ "_id.platformId": "broken" }, { $set: { xp } });
const broken = { platformId: "broken", amount: 1, idempotencyKey: "k" };

test("POST …/awards reports an award that fails as `failed`, applies the others, and counts the failure", async () => {
  const { applied, results } = expectResponse(
    "apply-awards",
    await clan.awards([{ platformId: "a", amount: 2 }, broken]),
  );
  expect(applied).toBe(1);
  expect(results).toStrictEqual([
    { index: 0, platformId: "a", status: "applied", xp: "2", rank: "Guest" },
    { index: 1, platformId: "broken", status: "failed", error: { code: "unavailable", detail: expect.any(String) } },
  ]);
  expect((await scrape(opsPort)).series.get('clanxp_problems_total{code="unavailable"}')).toBe(1);
});

test("POST …/awards returns 503 with the first award's code and Retry-After if every award fails", async () => {
  const reply = await clan.awards([broken, { ...broken, idempotencyKey: "k2" }]);
  expectProblem(reply, 503, "unavailable");
  expect(reply.headers.get("retry-after")).toMatch(/^\d+$/);
});

test("POST …/awards returns 200 if one award is rejected and another one fails", async () => {
  const { secret } = await world.makeKey(clan.clanId, ["award"]);
  const awards = [broken, { platformId: "a", amount: -1 }];
  const { results } = expectResponse("apply-awards", await clan.with(secret).post("/awards", { awards }));
  expect(results.map(({ error }: any) => error.code)).toStrictEqual(["unavailable", "scope_missing"]);
});

test("POST …/awards applies a failed award when it is sent again with the same key", async () => {
  await setXp(5n);
  expect(expectResponse("apply-awards", await clan.awards([broken])).results).toMatchObject([
    { status: "applied", xp: "6" },
  ]);
});
