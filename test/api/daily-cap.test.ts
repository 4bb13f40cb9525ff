// What a member can gain in a UTC day where a clan limits it (clan set --xp-per-day).
import { beforeEach, describe, expect, test } from "vitest";
import type { Clan } from "#domain/clan.ts";
import type { ClanSettings } from "#clans/ports.ts";
import { makeRebuildMembers } from "#ledger/rebuild-members.ts";
import { systemClock } from "#process/clock.ts";
import { makeChangeXp } from "#members/change-xp.ts";
import { makeFindReplays } from "#awards/find-replays.ts";
import { makeClanRules } from "#clans/clan-rules.ts";
import { digest } from "#process/secrets.ts";
import { openLedger } from "../../apps/cli/open/ledger.ts";
import { makeStores } from "../../apps/cli/open/stores.ts";
import { testActor } from "../support/actor.ts";
import { boostsOf } from "../support/boosts.ts";
import { makeClanCaller, PATIENT, type ClanCaller } from "../support/clan-caller.ts";
import { reversalsOf } from "../support/reversals.ts";
import { expectResponse } from "../support/responses.ts";
import { dayLongEnough } from "../support/same-day.ts";
import { until } from "../support/until.ts";
import { useApi } from "../support/use-api.ts";

const { world, port: firstPort } = await useApi({ worker: true });
const ports = [firstPort, (await world.startApi()).port] as const;
beforeEach(dayLongEnough);

/** A clan in which awards raise a member by at most 100 XP a day, known to every process as such. */
async function capped(xp = 100n, changes: Partial<Clan> = {}): Promise<ClanCaller> {
  const cap = { dailyCap: { xp, since: 1 }, ...changes };
  return makeClanCaller(world, firstPort, cap, ["award", "deduct", "read", "reverse"]);
}

/** Changes a setting, and resolves when both API processes apply it. */
async function set(clan: ClanCaller, settings: ClanSettings): Promise<void> {
  const name = `changed ${crypto.randomUUID()}`;
  await world.clans.change(clan.clanId, { ...settings, name }, testActor);
  for (const port of ports) await until(async () => (await clan.on(port).get("")).body.name === name);
}

const give = async (clan: ClanCaller, amount: number, award: object = {}): Promise<[string, string | null]> => {
  const { change } = expectResponse("apply-award", await clan.awardChange("m", { amount, ...award }));
  return [change.applied, change.limitedBy];
};

describe.concurrent("the daily cap of a clan (xpPerDay)", () => {
  test("shortens awards to it and applies them, with limitedBy in change and ledger", async () => {
    const clan = await capped();
    expect(await give(clan, 60)).toStrictEqual(["60", null]);
    const awards = [60, 5].map((amount) => ({ platformId: "m", amount }));
    const { results } = expectResponse("apply-awards", await clan.awards(awards, "?include=change"));
    expect(results).toMatchObject([
      { status: "applied", xp: "100", change: { amount: "60", applied: "40", limitedBy: "day" } },
      { status: "applied", xp: "100", change: { amount: "5", applied: "0", limitedBy: "day" } },
    ]);
    const batch = expectResponse("submit-batch", await clan.submit([{ platformId: "m", amount: 5 }], PATIENT));
    expect(batch).toMatchObject({ applied: 1, results: [{ status: "applied", xp: "100" }] });
    expect((await clan.entriesOf("m")).map(({ applied, limitedBy }) => [applied, limitedBy])).toStrictEqual([
      ["0", "day"],
      ["0", "day"],
      ["40", "day"],
      ["60", null],
    ]);
  });

  test("is met exactly by awards at once through two processes, in calls and in batches", async () => {
    const clan = await capped(777n);
    const sides = ports.map((port) => clan.on(port));
    const awards = Array.from({ length: 20 }, () => ({ platformId: "m", amount: 13 }));
    const replies = await Promise.all([
      ...sides.flatMap((side) => awards.map(({ amount }) => side.award("m", { amount }))),
      ...sides.map((side) => side.awards(awards)),
      ...sides.map((side) => side.submit(awards, PATIENT)),
    ]);
    expect(replies.map(({ status }) => status)).toStrictEqual(replies.map(() => 200));
    const entries = await clan.entriesOf("m");
    expect(entries).toHaveLength(120);
    expect(entries.reduce((sum, { applied }) => sum + BigInt(applied), 0n)).toBe(777n);
    expect(entries.filter(({ limitedBy }) => limitedBy === "day")).toHaveLength(120 - Math.floor(777 / 13));
  });

  test("is not raised by deductions, and is by the reversal of an award of the same day", async () => {
    const clan = await capped();
    await give(clan, 70, { source: { matchId: "one" } });
    await give(clan, 50, { source: { matchId: "two" } });
    expect(await give(clan, -90)).toStrictEqual(["-90", null]);
    expect(await give(clan, 10)).toStrictEqual(["0", "day"]);
    const { reverseNow } = reversalsOf(clan);
    // It had raised the member by 30.
    await reverseNow({ matchId: "two" });
    expect((await clan.entriesOf("m"))[0]).toMatchObject({ amount: "-30", applied: "-10", limitedBy: "floor" });
    expect(await give(clan, 40)).toStrictEqual(["30", "day"]);
  });

  test("does not limit what a reversal of a deduction gives back", async () => {
    const clan = await capped();
    await give(clan, 100);
    await give(clan, -60, { source: { matchId: "mistake" } });
    await reversalsOf(clan).reverseNow({ matchId: "mistake" });
    expect((await clan.entriesOf("m"))[0]).toMatchObject({ amount: "60", applied: "60", limitedBy: null });
    expect(await give(clan, 1)).toStrictEqual(["0", "day"]);
  });

  test("counts from when it is set, keeps the day's count when it is changed, and counts anew once it was removed", async () => {
    const clan = await makeClanCaller(world, firstPort);
    expect(await give(clan, 500)).toStrictEqual(["500", null]);
    await set(clan, { xpPerDay: 100n });
    expect(await give(clan, 80)).toStrictEqual(["80", null]);
    await set(clan, { xpPerDay: 150n });
    expect(await give(clan, 80)).toStrictEqual(["70", "day"]);
    await set(clan, { xpPerDay: 20n });
    expect(await give(clan, 80)).toStrictEqual(["0", "day"]);
    await set(clan, { xpPerDay: null });
    await set(clan, { xpPerDay: 20n });
    expect(await give(clan, 80)).toStrictEqual(["20", "day"]);
    await set(clan, { xpPerDay: null });
    expect(await give(clan, 80)).toStrictEqual(["80", null]);
    expect((await clan.entriesOf("m"))[0]).toMatchObject({ xp: "750" });
  });

  test("does not limit changes by people, which do not count either", async () => {
    const clan = await capped();
    const stores = { ...makeStores(world.database), clans: world.clans, clock: systemClock };
    const ledger = openLedger(stores);
    const rules = makeClanRules({ store: world.clans, clock: systemClock });
    const findReplays = makeFindReplays(stores.ledgerStore);
    const changeXp = makeChangeXp({
      committer: ledger.committer,
      findReplays,
      rules,
      digest,
      claimAwards: async () => null,
    });
    const member = { clanId: clan.clanId, platformId: "m" };
    const byPerson = await changeXp({ ...member, amount: 400, reason: "", changeId: "1" }, testActor);
    await ledger.close();
    expect(byPerson.applied).toBe(400n);
    expect(await give(clan, 60)).toStrictEqual(["60", null]);
    expect(await give(clan, 60)).toStrictEqual(["40", "day"]);
  });

  test("limits what a boost makes of an award, and is named before the cap of XP", async () => {
    const clan = await capped(100n, { xpCap: 120n });
    await boostsOf(world).run([clan], { percent: 300 });
    const { change } = (await clan.awardChange("m", { amount: 20 })).body;
    expect(change).toMatchObject({ amount: "20", applied: "60", boost: { amount: "60" }, limitedBy: null });
    expect(await give(clan, 20)).toStrictEqual(["40", "day"]);
    const other = await capped(100n, { xpCap: 90n });
    expect(await give(other, 95)).toStrictEqual(["90", "cap"]);
    expect(await give(other, 95)).toStrictEqual(["0", "day"]);
  });

  test("is kept by a retry, by the members' documents, by their rebuild, and by a process that starts later", async () => {
    const clan = await capped();
    await give(clan, 90);
    const key = { "idempotency-key": "k" };
    const first = await clan.awardChange("m", { amount: 20 }, key);
    expect(first.body.change).toMatchObject({ applied: "10", limitedBy: "day" });
    const { database } = world;
    const members = database.db().collection("members");
    const _id = `${clan.clanId}/m`;
    await until(async () => (await members.findOne({ _id } as never))?.["seq"] === 2);
    const projected = await members.findOne({ _id } as never);
    expect(projected).toMatchObject({ gains: { gained: 100n, gainedBefore: 0n } });

    await members.updateOne({ _id } as never, { $unset: { gains: 1 } });
    const { ledgerStore, ledgerReader, epochs } = makeStores(database);
    const deps = { store: ledgerStore, reader: ledgerReader, epochs, clans: world.clans, clock: systemClock };
    expect(await makeRebuildMembers(deps)({ clanId: clan.clanId })).toMatchObject({ changed: 1 });
    expect(await members.findOne({ _id } as never)).toStrictEqual(projected);

    const later = clan.on((await world.startApi()).port);
    expect(await give(later, 5)).toStrictEqual(["0", "day"]);
    expect((await later.awardChange("m", { amount: 20 }, key)).body).toStrictEqual(first.body);
  });
});
