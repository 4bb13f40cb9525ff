// The summary in the event of a final period: sums over the ledger, and counts of the events that readers receive.
import { expect, test } from "vitest";
import { awardIdOf } from "#contract/award-id.ts";
import { callerAwardKey, importKey, reversalKey } from "#domain/award-key.ts";
import type { Award } from "#domain/award.ts";
import type { Entry } from "#domain/entry.ts";
import { systemClock } from "#process/clock.ts";
import { makeAddSeason, makeSetBoard } from "#boards/set-board.ts";
import { openLedger } from "../../../apps/cli/open/ledger.ts";
import { makeStores } from "../../../apps/cli/open/stores.ts";
import { testActor } from "../../support/actor.ts";
import { until } from "../../support/until.ts";
import { useApi } from "../../support/use-api.ts";

const DAY_MS = 86_400_000;

const { world } = await useApi({ worker: true });
const stores = makeStores(world.database);
const person = { actor: "ada", apiKeyId: "cli" } as const;
const now = Date.now();
/** The period is final soon, and has an event: its board is made before that. */
const endsAt = new Date(now - 40_000);
const startsAt = new Date(now - 12 * DAY_MS);

type Change = Pick<Award, "platformId"> & Partial<Award>;

/** Commits these changes in order, by a process whose clock shows this time. */
async function changeAt(clanId: string, atMs: number, changes: readonly Change[]): Promise<Entry[]> {
  const clock = { ...systemClock, now: () => new Date(Date.now() - now + atMs) };
  const ledger = openLedger({ ...stores, clock });
  const entries: Entry[] = [];
  for (const change of changes) {
    const key = callerAwardKey(`${atMs}/${entries.length}`);
    const award = { clanId, key, fingerprint: key, apiKeyId: "key_1", amount: 0n, ...change };
    const outcome = await ledger.committer.submit(award, 10_000);
    if (outcome.kind !== "applied") throw new Error(outcome.kind);
    entries.push(outcome.entry);
  }
  await ledger.close();
  return entries;
}

const joins = (platformId: string): Change => ({ platformId, kind: "membership", ...person });
const leaves = (platformId: string): Change => ({ ...joins(platformId), ends: true });
const imported = (platformId: string, silent: { silent?: true }): Change => {
  return { platformId, key: importKey("xp", "file"), amount: 5_000n, ...person, ...silent };
};

test("a period's event counts its awards, XP and events, also after late reversals, removals and imports", async () => {
  const { clan } = await world.makeClan({ autoClan: true, xpFloor: null });
  const { clanId } = clan;
  await changeAt(clanId, now - 15 * DAY_MS, [
    { platformId: "ada", amount: 10n },
    { platformId: "ben", amount: 30n },
    { platformId: "old", amount: 20n },
  ]);
  const inside = await changeAt(clanId, now - 5 * DAY_MS, [
    { platformId: "ada", amount: 2_000n },
    { platformId: "ben", amount: 900n },
    { platformId: "ben", amount: -850n },
    { platformId: "new", amount: 1_000n },
    { platformId: "gone", amount: 700n },
    { platformId: "cheat", amount: 9_000n },
    joins("guest"),
    leaves("guest"),
    leaves("gone"),
    imported("silent", { silent: true }),
    imported("loud", {}),
    { platformId: "cap", amount: 0n },
  ]);
  const cheated = inside.find(({ platformId }) => platformId === "cheat");
  if (!cheated) throw new Error("nothing to reverse");
  const { key, seq } = cheated;
  // After the end of the period, in its settle time.
  await changeAt(clanId, endsAt.getTime() + 1_000, [
    {
      platformId: "cheat",
      kind: "reversal",
      key: reversalKey(awardIdOf(cheated)),
      reverses: { key, seq },
      amount: -9_000n,
    },
    { platformId: "late", amount: 4_000n },
  ]);
  await stores.names.set(clanId, [{ platformId: "ada", name: "Ada" }]);

  const before = { startsAt: new Date(now - 20 * DAY_MS), endsAt: new Date(now - 13 * DAY_MS) };
  const ref = { clanId, boardId: "season" };
  const made = await makeSetBoard(stores)(ref, { season: before, settleMs: 0, name: "Autumn" }, testActor);
  expect(made).not.toHaveProperty("rejected");
  expect(await makeAddSeason(stores)(ref, { startsAt, endsAt }, testActor)).not.toHaveProperty("rejected");

  const events = () => world.database.db().collection<any>("events");
  await until(async () => (await events().countDocuments({ "_id.clanId": clanId, type: "period.final" })) > 0);
  const all = await events()
    .find({ "_id.clanId": clanId, at: { $gte: startsAt, $lt: endsAt } })
    .toArray();
  const count = (type: string, direction?: string): number =>
    all.filter((one) => one.type === type && (direction === undefined || one.data.direction === direction)).length;
  const final = await events().find({ "_id.clanId": clanId, type: "period.final" }).toArray();
  expect(final.map(({ data }) => data.summary)).toStrictEqual([
    {
      awards: 7,
      xp: String(2_000 + 900 - 850 + 1_000 + 700),
      members: 5,
      joined: count("member.joined"),
      left: count("member.left"),
      rose: count("member.rank_changed", "up"),
      fell: count("member.rank_changed", "down"),
    },
  ]);
  const { joined, left, rose, fell } = final[0].data.summary;
  expect([joined > 5, left, rose > 5, fell >= 2]).toStrictEqual([true, 2, true, true]);
  expect(all.filter(({ data }) => data.platformId === "silent")).toStrictEqual([]);
  expect(all.filter(({ data }) => data.platformId === "loud").length).toBeGreaterThan(0);
  expect(
    final[0].data.top.map((one: any) => [one.platformId, one.name, one.position, one.previousPosition]),
  ).toStrictEqual([
    ["ada", "Ada", 1, 3],
    ["new", null, 2, null],
    ["ben", null, 3, 1],
    ["cap", null, 4, null],
    ["cheat", null, 4, null],
  ]);
  expect(final[0].data.board).toStrictEqual({ name: "Autumn", every: "season", timeZone: "UTC", isFirst: false });
}, 120_000);
