// Boosts, as docs/concepts/boosts-and-daily-caps.md describes them: over all endpoints that apply awards.
import { writeFile } from "node:fs/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { reversalsOf } from "../support/reversals.ts";
import { actsInTime } from "../support/acts-in-time.ts";
import { boostsOf } from "../support/boosts.ts";
import { patientCliOn } from "../support/cli.ts";
import { makeClanCaller, PATIENT, type ClanCaller } from "../support/clan-caller.ts";
import { expectProblem, expectResponse } from "../support/responses.ts";
import { dayLongEnough } from "../support/same-day.ts";
import { tempDir } from "../support/temp-dir.ts";
import { until } from "../support/until.ts";
import { testActor } from "../support/actor.ts";
import { useApi } from "../support/use-api.ts";

// The budget of a key renews with the day.
beforeEach(dayLongEnough);

const keyed = (key: string) => ({ "idempotency-key": key });
const changeOf = async (clan: ClanCaller, member: string, award: object, headers = {}): Promise<any> =>
  expectResponse("apply-award", await clan.awardChange(member, award, headers)).change;

describe("a boost", async () => {
  const { world, port } = await useApi({ worker: true });
  const second = await world.startApi();
  const boosts = boostsOf(world);
  const makeClan = (changes = {}): Promise<ClanCaller> =>
    makeClanCaller(world, port, changes, ["award", "deduct", "read", "reverse"]);

  test("raises awards of every endpoint, and change, ledger and reversal have what it made of them", async () => {
    const clan = await makeClan();
    const { boostId } = await boosts.run([clan], { name: "Half more", percent: 150 });
    const applied = { boostId, name: "Half more", percent: 150, amount: "37" };

    const change = { amount: "25", applied: "37", boost: applied, limitedBy: null };
    expect(await changeOf(clan, "m", { amount: 25 })).toMatchObject(change);
    const call = await clan.awards([{ platformId: "m", amount: 25 }], "?include=change");
    expect(expectResponse("apply-awards", call).results).toMatchObject([{ xp: "74", change }]);
    const batch = expectResponse("submit-batch", await clan.submit([{ platformId: "m", amount: 25 }], PATIENT));
    expect(batch.results[0].xp).toBe("111");
    const entries = await clan.entriesOf("m");
    expect(entries).toHaveLength(3);
    for (const entry of entries) expect(entry).toMatchObject(change);

    const { preview, reverseNow } = reversalsOf(clan);
    const by = { platformId: "m", from: "2020-01-01T00:00:00Z" };
    expect(await preview(by)).toMatchObject({ awards: 3, amount: "111" });
    expect(await reverseNow(by)).toMatchObject({ reversed: 3 });
    const [newest] = await clan.entriesOf("m");
    expect(newest).toMatchObject({ kind: "reversal", amount: "-37", applied: "-37", xp: "0", limitedBy: null });
    expect(newest).not.toHaveProperty("boost");
  });

  test("raises neither deductions nor amounts of 0, changes by people or imports", async () => {
    const clan = await makeClan();
    await boosts.run([clan]);
    const give = (amount: number) => changeOf(clan, "m", { amount });
    expect(await give(100)).toMatchObject({ applied: "200" });
    expect(await give(-30)).toMatchObject({ applied: "-30", boost: null, limitedBy: null });
    expect(await give(0)).toMatchObject({ applied: "0", boost: null });
    expect(await give(-500)).toMatchObject({ applied: "-170", boost: null, limitedBy: "floor" });
    const file = `${tempDir()}/members.csv`;
    await writeFile(file, "platformId,xp\nm,40\n");
    const cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
    expect((await cli.run("import", clan.clanId, file)).exitCode).toBe(0);
    const [imported] = await clan.entriesOf("m");
    expect(imported).toMatchObject({ amount: "40", applied: "40", limitedBy: null });
    expect(imported).not.toHaveProperty("boost");
  });

  test("is the one with the highest percent, then the one that started first, of those that apply", async () => {
    const clan = await makeClan();
    const now = Date.now();
    const at = (hours: number): Date => new Date(now + hours * 3_600_000);
    await boosts.put(clan.clanId, { name: "ended", percent: 900, from: at(-2), to: at(-1) });
    await boosts.put(clan.clanId, { name: "coming", percent: 900, from: at(1), to: at(2) });
    await boosts.put(clan.clanId, { name: "place", percent: 300, placeIds: ["1818", "7"] });
    await boosts.put(clan.clanId, { name: "recruits", percent: 250, ranks: ["Recruit"] });
    await boosts.put(clan.clanId, { name: "later", percent: 200, from: at(-1) });
    await boosts.run([clan], { name: "earlier", percent: 200, from: at(-3) });
    const boostOf = async (award: object): Promise<unknown> => {
      const { boost, applied } = await changeOf(clan, "m", award);
      return [boost.name, applied];
    };
    // The first award makes the member a Recruit, and is judged by the rank before it.
    expect(await boostOf({ amount: 50 })).toStrictEqual(["earlier", "100"]);
    expect(await boostOf({ amount: 5 })).toStrictEqual(["recruits", "12"]);
    expect(await boostOf({ amount: 5, source: { placeId: "7" } })).toStrictEqual(["place", "15"]);
    expect(await boostOf({ amount: 5, source: { placeId: "8" } })).toStrictEqual(["recruits", "12"]);
    expect(await boostOf({ amount: 5, source: { matchId: "1818" } })).toStrictEqual(["recruits", "12"]);
  });

  test("stays in the answer to every retry, after its end too, and the key is bound to what was asked", async () => {
    const clan = await makeClan();
    const sides = [clan, clan.on(second.port)];
    const boost = await boosts.run(sides);
    const first = await changeOf(clan, "m", { amount: 10 }, keyed("a"));
    expect(first).toMatchObject({ amount: "10", applied: "20", boost: { boostId: boost.boostId, amount: "20" } });
    await boosts.end(sides, boost);

    for (const side of sides) {
      const again = await side.awardChange("m", { amount: 10 }, keyed("a"));
      expect(again.headers.get("idempotency-replayed")).toBe("true");
      expect(again.body.change).toStrictEqual(first);
    }
    const call = await clan.awards([{ platformId: "m", amount: 10, idempotencyKey: "a" }], "?include=change");
    expect(call.body.results).toMatchObject([{ status: "replayed", change: first }]);
    expectProblem(await clan.award("m", { amount: 20 }, keyed("a")), 422, "idempotency_key_reused");

    // The other way round: an award without a boost keeps its answer while one runs.
    const plain = await changeOf(clan, "m", { amount: 10 }, keyed("b"));
    expect(plain).toMatchObject({ applied: "10", boost: null });
    await boosts.run(sides, { percent: 1_000 });
    expect(await changeOf(clan, "m", { amount: 10 }, keyed("b"))).toStrictEqual(plain);
    expect((await clan.entriesOf("m")).map(({ applied }) => applied)).toStrictEqual(["10", "20"]);
  });

  test("begins and ends to the millisecond, by the time of each entry, on two processes", async () => {
    const seen = new Set<string>();
    // Longer each time, until there are awards inside and outside of it: a busy machine may apply none for seconds.
    for (let lengthMs = 400; seen.size < 2; lengthMs *= 3) {
      const clan = await makeClan();
      const sides = [clan, clan.on(second.port)];
      const from = new Date(Date.now() + 1_100);
      const to = new Date(from.getTime() + lengthMs);
      await boosts.put(clan.clanId, { from, to });
      const isOver = (): boolean => Date.now() > to.getTime() + 100;
      const send = async (side: ClanCaller, member: string): Promise<void> => {
        do expectResponse("apply-award", await side.award(member, { amount: 1 }));
        while (!isOver());
      };
      await Promise.all(sides.flatMap((side) => [send(side, "a"), send(side, "b")]));
      const entries = (await Promise.all(["a", "b"].map((member) => clan.entriesOf(member)))).flat();
      for (const { at, applied } of entries) {
        expect([at, applied]).toStrictEqual([at, new Date(at) >= from && new Date(at) < to ? "2" : "1"]);
        seen.add(applied);
      }
    }
  });

  test("counts what was asked against the key's budget and the clan's bound, not what it makes of it", async () => {
    const clan = await makeClan({ amountMax: 100 });
    await world.keys.limit(clan.key.split("_")[1] ?? "", { amountMax: 90, xpPerDay: 150 }, testActor);
    await boosts.run([clan], { percent: 1_000 });
    expect(await changeOf(clan, "m", { amount: 90 })).toMatchObject({ applied: "900" });
    expect(await changeOf(clan, "m", { amount: 60 })).toMatchObject({ applied: "600" });
    expectProblem(await clan.award("m", { amount: 1 }), 403, "budget_exceeded");
    expectProblem(await clan.award("m", { amount: 101 }), 400, "invalid_request");
  });

  test("is listed with include=boosts while it runs or is coming, by its beginning, and not after its end", async () => {
    const clan = await makeClan();
    const sides = [clan, clan.on(second.port)];
    const [from, to] = ["2040-01-01T00:00:00.000Z", "2040-01-02T00:00:00.000Z"];
    const restricted = { name: "Later", percent: 250, from: new Date(from), to: new Date(to) };
    const coming = await boosts.put(clan.clanId, { ...restricted, ranks: ["Recruit"], placeIds: ["1818"] });
    await boosts.put(clan.clanId, { from: new Date(0), to: new Date(1) });
    const running = await boosts.run(sides, { name: "Now" });
    const listed = async (side: ClanCaller) => expectResponse("read-clan", await side.get("?include=boosts")).boosts;
    const { boostId, name, percent } = running;
    const times = { from: running.from.toISOString(), to: running.to.toISOString() };
    expect(await listed(clan)).toStrictEqual([
      { boostId, name, percent, ...times, ranks: [], placeIds: [] },
      { boostId: coming.boostId, name: "Later", percent: 250, from, to, ranks: ["Recruit"], placeIds: ["1818"] },
    ]);
    expect(expectResponse("read-clan", await clan.get(""))).not.toHaveProperty("boosts");
    await boosts.end(sides, running);
    for (const side of sides) expect((await listed(side)).map((boost: any) => boost.name)).toStrictEqual(["Later"]);
    expectProblem(await clan.get("?include=boost"), 400, "invalid_request");
    await boosts.end(sides, coming);
    expect(await listed(clan)).toStrictEqual([]);
  });
});

describe("an award of a batch that waited", async () => {
  const { world, port } = await useApi();
  const boosts = boostsOf(world);

  test("is judged by the moment it is applied, not by the one at which the batch was accepted", async () => {
    const clan = await makeClanCaller(world, port);
    const later = { prefer: "respond-async" };
    const submit = async (member: string): Promise<string> =>
      expectResponse("submit-batch", await clan.submit([{ platformId: member, amount: 10 }], later), 202).batchId;
    const ended = await boosts.run([clan], { name: "ended", percent: 900 });
    const batchIds = [await submit("a")];
    await boosts.end([clan], ended);
    batchIds.push(await submit("b"));
    await boosts.run([clan], { name: "running", percent: 150 });

    await world.startWorker();
    for (const batchId of batchIds)
      await until(async () => (await clan.get(`/batches/${batchId}`)).body.status === "done");
    for (const member of ["a", "b"])
      expect(await clan.entriesOf(member)).toMatchObject([{ applied: "15", boost: { name: "running" } }]);
  });

  test("acts within a second on a worker, too", async () => {
    const clan = await makeClanCaller(world, port);
    await world.startWorker();
    const isRaised = async (): Promise<boolean> => {
      const { results } = expectResponse("submit-batch", await clan.submit([{ platformId: "m", amount: 0 }], PATIENT));
      const before = BigInt(results[0].xp);
      const batch = expectResponse("submit-batch", await clan.submit([{ platformId: "m", amount: 1 }], PATIENT));
      return BigInt(batch.results[0].xp) - before === 2n;
    };
    expect(await isRaised()).toBe(false);
    const boost = await boosts.put(clan.clanId);
    await actsInTime(isRaised);
    await boosts.store.end(boost, new Date(), testActor);
    await actsInTime(async () => !(await isRaised()));
  });
});
