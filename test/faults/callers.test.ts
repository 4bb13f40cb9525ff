// Callers that disconnect during an award, and one award that is sent to two processes at the same time.
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AWARD_DEADLINE_MS } from "#ledger/bounds.ts";
import { chanceOf } from "../support/chance.ts";
import { until } from "../support/until.ts";
import { makeWorld, type World } from "../support/world.ts";
import type { SentAward } from "../support/oracle.ts";
import { sendOnce, type Target } from "./send.ts";
import { expectNoLocks } from "./expect-no-locks.ts";
import { seedOfRun } from "../support/seed.ts";
import { timed } from "./timed.ts";
import { violations } from "./violations.ts";

const TIMES = 1_000;
const AT_ONCE = 20;

describe("callers", { timeout: 120_000 }, () => {
  const chance = chanceOf(seedOfRun());
  let world: World;
  let urls: string[];
  beforeAll(async () => {
    world = await makeWorld();
    const apis = await Promise.all([world.startApi(), world.startApi()]);
    urls = apis.map(({ port }) => `http://127.0.0.1:${port}`);
  });
  afterAll(() => world.close());

  async function makeTarget(): Promise<Target> {
    const { clan, key } = await world.makeClan();
    return { clanId: clan.clanId, key, baseUrls: () => urls };
  }

  test(`who disconnect ${TIMES} times during an award leak no lock, block no member, and apply it once`, async () => {
    const target = await makeTarget();
    const awards: SentAward[] = [];
    let hungUp = 0;
    await inTurns(async (caller, times) => {
      const award: SentAward = { platformId: `m${caller % 5}`, key: `${caller}-${times}`, amount: 1, answers: [] };
      awards.push(award);
      const hangUp = new AbortController();
      const answer = sendOnce(target, award, times, hangUp.signal);
      await pause(chance.int(0, 15));
      hangUp.abort();
      if ((await answer) === 0) hungUp += 1;
    });
    expect(hungUp).toBeGreaterThan(TIMES / 10);

    const next: SentAward[] = Array.from({ length: 5 }, (_, index) => ({
      platformId: `m${index}`,
      key: "next",
      amount: 1,
      answers: [],
    }));
    const { ms } = await timed(() => Promise.all(next.map((award) => sendOnce(target, award))));
    // Behind whatever was under way, and never as long as a caller would wait for a dead one's turn.
    expect(ms, "in time").toBeLessThan(AWARD_DEADLINE_MS);
    await expectNoLocks(world, target.clanId);

    await Promise.all(awards.map((award) => until(async () => (await sendOnce(target, award)) === 200)));
    expect(
      await violations("callers that hang up", world.database, target.clanId, {
        awards: [...awards, ...next],
        batches: [],
      }),
    ).toStrictEqual([]);
  });

  test(`who send one key to two processes at once, ${TIMES} times, apply it once and get equal responses`, async () => {
    const target = await makeTarget();
    const awards: SentAward[] = [];
    await inTurns(async (caller, times) => {
      const award: SentAward = {
        platformId: `m${caller % 5}`,
        key: `${caller}-${times}`,
        amount: 1 + (times % 9),
        answers: [],
      };
      awards.push(award);
      await Promise.all([sendOnce(target, award, 0), sendOnce(target, award, 1)]);
    });
    const wrong = awards.filter(
      ({ answers: [one, other] }) => one?.status !== 200 || one.xp !== other?.xp || one.replayed === other.replayed,
    );
    expect(wrong).toStrictEqual([]);
    expect(
      await violations("one key on two processes at once", world.database, target.clanId, { awards, batches: [] }),
    ).toStrictEqual([]);
  });
});

/** Runs `act` TIMES times, AT_ONCE at a time. */
async function inTurns(act: (caller: number, times: number) => Promise<void>): Promise<void> {
  const callers = Array.from({ length: AT_ONCE }, async (_, caller) => {
    for (let times = 0; times < TIMES / AT_ONCE; times += 1) await act(caller, times);
  });
  await Promise.all(callers);
}
