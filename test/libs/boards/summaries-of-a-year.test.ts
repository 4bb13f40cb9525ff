// A year of weeks in a zone whose clocks change: each has its summary once, exactly what the ledger says, also in
// Discord, where two notifiers post them that did not run while the weeks ended.
import { afterAll, expect, test } from "vitest";
import { awardIdOf } from "#contract/award-id.ts";
import { callerAwardKey, reversalKey } from "#domain/award-key.ts";
import type { Award } from "#domain/award.ts";
import { summaryTypes } from "#domain/destination.ts";
import type { Entry } from "#domain/entry.ts";
import { systemClock } from "#process/clock.ts";
import { makeSetBoard } from "#boards/set-board.ts";
import { openLedger } from "../../../apps/cli/open/ledger.ts";
import { makeStores } from "../../../apps/cli/open/stores.ts";
import { testActor } from "../../support/actor.ts";
import { chanceOf } from "../../support/chance.ts";
import { destinationsIn } from "../../support/destinations.ts";
import { startDiscord } from "../../support/discord.ts";
import { seedOfRun } from "../../support/seed.ts";
import { until } from "../../support/until.ts";
import { useApi } from "../../support/use-api.ts";

const WEEKS = 53;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** The default of boards. */
const SETTLE_MS = HOUR_MS;
/** Of all weeks together, on a busy machine. */
const FINAL_MS_MAX = 300_000;
const MEMBERS = ["ada", "ben", "cid"];

const { world } = await useApi();
const stores = makeStores(world.database);
const destinations = destinationsIn(world.database);
const discord = await startDiscord({ windowMs: 200 });
afterAll(() => discord.close());

/** The last Sunday of the month at 01:00 UTC, when the clocks of the European Union change. */
function changeOf(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month, 0, 1));
  return last.getTime() - last.getUTCDay() * DAY_MS;
}

/** Midnight of a day in Berlin. */
function midnightOf(dayMs: number): number {
  const year = new Date(dayMs).getUTCFullYear();
  const isSummer = dayMs > changeOf(year, 3) && dayMs < changeOf(year, 10);
  return dayMs - (isSummer ? 2 : 1) * HOUR_MS;
}

/** Monday of this week, 53 weeks ago; day 0 of the epoch was a Thursday. */
const today = Math.floor(Date.now() / DAY_MS);
const firstDayMs = (today - ((today + 3) % 7) - 7 * WEEKS) * DAY_MS;
const dayOf = (days: number): string => new Date(firstDayMs + days * DAY_MS).toISOString().slice(0, 10);
const boundaries = Array.from({ length: WEEKS + 1 }, (_, week) => midnightOf(firstDayMs + 7 * week * DAY_MS));

type Sum = { awards: number; xp: bigint; members: number };

/** Awards from the first to the last millisecond of each week, and a reversal just before the week before is final. */
async function aYearOfAwards(clanId: string): Promise<Sum[]> {
  const chance = chanceOf(seedOfRun());
  let nowMs = 0;
  const ledger = openLedger({ ...stores, clock: { ...systemClock, now: () => new Date(nowMs) } });
  async function submitAt(atMs: number, award: Pick<Award, "platformId" | "key" | "amount"> & Partial<Award>) {
    nowMs = atMs;
    const whole = { clanId, fingerprint: award.key, apiKeyId: "key_1", ...award };
    const outcome = await ledger.committer.submit(whole, 10_000);
    if (outcome.kind !== "applied") throw new Error(outcome.kind);
    return outcome.entry;
  }
  const award = (atMs: number) => {
    const [platformId, amount] = [chance.pick(MEMBERS), BigInt(chance.int(-20, 400))];
    return submitAt(atMs, { platformId, key: callerAwardKey(`${atMs}`), amount });
  };
  function reverse(atMs: number, entry: Entry) {
    const { platformId, key, seq, applied } = entry;
    const reversal = { kind: "reversal", key: reversalKey(awardIdOf(entry)), reverses: { key, seq } } as const;
    return submitAt(atMs, { platformId, ...reversal, amount: -applied });
  }

  const sums: Sum[] = [];
  let before: Entry[] = [];
  for (const [week, startsMs] of boundaries.entries()) {
    const endsMs = boundaries[week + 1];
    const entries = endsMs === undefined ? [] : [await award(startsMs)];
    if (week > 0) {
      const reversed = chance.pick(before);
      await reverse(startsMs + SETTLE_MS - 1, reversed);
      const xp = before.reduce((sum, entry) => sum + (entry === reversed ? 0n : entry.applied), 0n);
      sums.push({ awards: before.length, xp, members: new Set(before.map(({ platformId }) => platformId)).size });
    }
    if (endsMs === undefined) break;
    const times = MEMBERS.map(() => chance.int(startsMs + 2 * SETTLE_MS, endsMs - 2)).toSorted((a, b) => a - b);
    for (const atMs of [...times, endsMs - 1]) entries.push(await award(atMs));
    before = entries;
  }
  await ledger.close();
  return sums;
}

test("each week of a year is summed up once, as the ledger says, and posted once by two notifiers that start later", async () => {
  const { clan } = await world.makeClan({ xpFloor: null });
  const { clanId } = clan;
  await stores.publicPages.change(clanId, { publish: true, slug: "night-owls" }, testActor);
  const rhythm = { every: "week", on: "monday", at: "00:00", timeZone: "Europe/Berlin" } as const;
  const board = await makeSetBoard(stores)({ clanId, boardId: "weekly" }, { rhythm, name: "Weekly" }, testActor);
  if ("rejected" in board) throw new Error("no board");
  const sums = await aYearOfAwards(clanId);
  // As if the board had been made a year ago, and no worker had run since.
  const db = world.database.db();
  const from = { coveredTo: new Date(boundaries[0] ?? 0), createdAt: new Date((boundaries[0] ?? 0) - DAY_MS) };
  await db.collection("periods").deleteMany({ boardUid: board.uid });
  await db.collection("boards").updateOne({ uid: board.uid }, { $set: from });
  const webhook = discord.newWebhook();
  const secrets = { kind: "discord", url: webhook.url } as const;
  const id = await destinations.add(clanId, secrets, { types: summaryTypes, only: "summaries" });

  await world.startWorker();
  const finals = () => db.collection<any>("events").find({ "_id.clanId": clanId, type: "period.final" });
  await until(async () => (await finals().toArray()).length >= WEEKS, FINAL_MS_MAX);
  const events = await finals().sort({ "_id.n": 1 }).toArray();
  const weeks = events.map(({ data: { startsAt, endsAt, summary } }) => {
    return { startsAt, endsAt, awards: summary.awards, xp: summary.xp, members: summary.members };
  });
  const at = (week: number): Date => new Date(boundaries[week] ?? 0);
  const expected = sums.map(({ xp, ...sum }, week) => {
    return { startsAt: at(week), endsAt: at(week + 1), ...sum, xp: xp.toString() };
  });
  expect(weeks.toSorted((a, b) => a.startsAt - b.startsAt)).toStrictEqual(expected);

  await Promise.all([world.startNotifier(), world.startNotifier()]);
  await destinations.untilDone(id);
  const embeds = discord.messages.flatMap(({ body }) => body.embeds);
  const titleOf = (week: number): string => `Weekly: ${dayOf(7 * week)} to ${dayOf(7 * week + 6)}`;
  expect(embeds.map(({ title }): string => title).toSorted()).toStrictEqual(sums.map((_, week) => titleOf(week)));
  const links = embeds.map(({ description }) => description.split("\n").at(-1));
  expect(new Set(links)).toStrictEqual(new Set(["https://clans.example.com/c/night-owls"]));
}, 480_000);
