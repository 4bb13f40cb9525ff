import { expect, test } from "vitest";
import type { KeyLimits } from "#domain/key-limits.ts";
import { expectResponse, expectProblem } from "../../support/responses.ts";
import type { Caller, Reply } from "../../support/http.ts";
import { testActor } from "../../support/actor.ts";
import { useApi } from "../../support/use-api.ts";

const { world, clan } = await useApi();

/** A caller of the clan through a key with this rate of awards; four times as many may arrive at the same time. */
async function limited(limits: Partial<KeyLimits>): Promise<Caller> {
  const { keyId, secret } = await world.makeKey(clan.clanId);
  await world.keys.limit(keyId, limits, testActor);
  return clan.with(secret);
}
const awardsFor = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ platformId: `${prefix}${index}`, amount: 1, idempotencyKey: prefix }));

test("POST …/awards counts as one request and as many awards as it contains", async () => {
  const reply = await (await limited({})).post("/awards", { awards: awardsFor("spends", 30) });
  expectResponse("apply-awards", reply);
  expect(reply.headers.get("ratelimit")).toMatch(/^"requests";r=1999;t=1, "awards";r=19970;t=1$/);
});

test("POST …/awards returns 429 with Retry-After past the rate of awards, before anything is applied", async () => {
  const caller = await limited({ awardsPerSecond: 1 });
  const reply = await caller.post("/awards", { awards: awardsFor("past", 5) });
  // Parts of it, sent under other keys, would count again what an earlier try of it has applied.
  expect(expectProblem(reply, 429, "rate_limited").detail).not.toMatch(/split|part/i);
  expect(reply.headers.get("retry-after")).toMatch(/^\d+$/);
  expectProblem(await clan.get("/members/past0"), 404, "member_not_found");
});

test("POST …/awards does not count replays against the rate, so that only new awards must fit", async () => {
  const old = awardsFor("old", 3);
  expectResponse("apply-awards", await clan.awards(old));
  const [spent, small] = [await limited({ awardsPerSecond: 0 }), await limited({ awardsPerSecond: 1 })];

  const statusesOf = (reply: Reply) =>
    expectResponse("apply-awards", reply).results.map(({ status }: { status: string }) => status);
  const replayed = ["replayed", "replayed", "replayed"];
  expect(statusesOf(await spent.post("/awards", { awards: old }))).toStrictEqual(replayed);

  const mixed = [...old, ...awardsFor("new", 3)];
  expectProblem(await spent.post("/awards", { awards: mixed }), 429, "rate_limited");
  expectProblem(await clan.get("/members/new0"), 404, "member_not_found");
  const fits = statusesOf(await small.post("/awards", { awards: mixed }));
  expect(fits).toStrictEqual([...replayed, "applied", "applied", "applied"]);
});
