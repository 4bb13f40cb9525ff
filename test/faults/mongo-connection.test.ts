// The connection to MongoDB that ends at any byte, especially during the commit: the outcome of an award is unknown or
// definite, and the award counts once. Under load, and with the other faults of a network: connection-faults.ts.
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, test, type ExpectStatic } from "vitest";
import { RULES_AGE_MAX_MS } from "#clans/bounds.ts";
import { KEY_AGE_MAX_MS } from "#keys/bounds.ts";
import { until } from "../support/until.ts";
import type { TcpProxy, Way } from "../support/tcp-proxy.ts";
import { useWorld } from "../support/use-api.ts";
import type { SentAward } from "../support/oracle.ts";
import { sendOnce, type Target } from "./send.ts";
import { openProxies, type Proxies } from "../support/proxies.ts";
import { chanceOf } from "../support/chance.ts";
import { seedOfRun } from "../support/seed.ts";
import { violations } from "./violations.ts";

/**
 * This many APIs, each with its own faulty connection, are cut at the same time: most of the time of a cut is the wait
 * for the next connection.
 */
const LANES = 3;
const WAYS = [["there"], ["back"]] as const;
const CUTS_PER_LANE = 7;
/** After so long without an award the next one reads key and rules again, on any machine. */
const RULES_STALE_MS = Math.max(KEY_AGE_MAX_MS, RULES_AGE_MAX_MS) + 100;

const opened: Proxies[] = [];
// After the world, whose APIs use them.
afterAll(() => Promise.all(opened.map((proxies) => proxies.close())));
const world = await useWorld();

describe.concurrent("the connection to MongoDB", { timeout: 240_000 }, () => {
  const seed = seedOfRun();

  /** A clan, and APIs that serve it, each with its own faulty connection. */
  async function openLanes(count: number): Promise<{ lanes: Lane[]; clanId: string }> {
    const { clan, key } = await world.makeClan();
    const lanes = Array.from({ length: count }, async () => {
      const proxies = await openProxies(world);
      opened.push(proxies);
      const { port } = await world.startApi({ config: { mongoUrl: proxies.config.mongoUrl } });
      return {
        mongo: proxies.mongo,
        target: { clanId: clan.clanId, key, baseUrls: () => [`http://127.0.0.1:${port}`] },
      };
    });
    return { lanes: await Promise.all(lanes), clanId: clan.clanId };
  }

  async function expectKept(expect: ExpectStatic, fault: string, clanId: string, awards: SentAward[]): Promise<void> {
    expect(await violations(`MongoDB's wire ${fault}`, world.database, clanId, { awards, batches: [] })).toStrictEqual(
      [],
    );
  }

  test.for(WAYS)(
    "cut at any byte on the way %s: the outcome of each award is definite or unknown, and a retry applies it once",
    async ([way], { expect }) => {
      const { lanes, clanId } = await openLanes(LANES);
      const sent: SentAward[] = [];
      const bytes = await bytesOf(lanes, way, sent);
      const cuts = LANES * CUTS_PER_LANE;
      // Other bytes in each run.
      const offset = chanceOf(seed).next();
      await Promise.all(
        lanes.map(async ({ mongo, target }, index) => {
          for (let cut = index; cut < cuts; cut += LANES) {
            const wasCut = mongo.cutAfter(way, { bytes: Math.ceil(((cut + offset) * bytes) / cuts) || 1 });
            const award = newAward(`${index}`, cut);
            expect([200, 503]).toContain(await sendOnce(target, award));
            await sendUntilApplied(target, award, sent);
            // The award may have taken fewer bytes than were measured: then a later one is cut.
            const line = { cut: false };
            void wasCut.then(() => (line.cut = true));
            for (let more = 0; !line.cut; more += 1)
              await sendUntilApplied(target, newAward(`${index}-more-${cut}`, more), sent);
          }
        }),
      );
      await expectKept(expect, `cut at any byte, ${way}`, clanId, sent);
    },
  );

  test.for(WAYS)(
    "cut on the way %s past the deadline: unsent awards are `unavailable`, and a retry applies them",
    async ([way], { expect }) => {
      const { lanes, clanId } = await openLanes(LANES);
      const sent: SentAward[] = [];
      // What is read before the insert, which is the last.
      const bytes = 0.4 * (await bytesOf(lanes, way, sent, RULES_STALE_MS));
      await Promise.all(
        lanes.map(async ({ mongo, target }, index) => {
          await pause(RULES_STALE_MS);
          void mongo.cutAfter(way, { bytes: Math.ceil(((index + 1) * bytes) / LANES) }, { andRejectOthers: true });
          const award = newAward("gone", index);
          await sendOnce(target, award);
          mongo.rejectConnections(false);
          await sendUntilApplied(target, award, sent);
          expect(award.answers[0]).toMatchObject({ status: 503, code: "unavailable" });
          // A retry may be unknown, too.
          const applied = award.answers.find(({ status, code }) => status === 200 || code === "outcome_unknown");
          expect(applied?.replayed).toBe(false);
        }),
      );
      await expectKept(expect, "cut and gone past the deadline", clanId, sent);
    },
  );

  test("cut after the commit past the deadline: the award is `outcome_unknown`, and a retry is replayed", async ({
    expect,
  }) => {
    const { lanes, clanId } = await openLanes(LANES);
    const sent: SentAward[] = [];
    await Promise.all(
      lanes.map(async ({ mongo, target }, index) => {
        await sendUntilApplied(target, newAward("warm", index), sent);
        void mongo.cutAfter("there", { text: "insert" }, { andRejectOthers: true });
        const award = newAward("gone", index);
        await sendOnce(target, award);
        mongo.rejectConnections(false);
        await sendUntilApplied(target, award, sent);
        expect(award.answers[0]).toMatchObject({ status: 503, code: "outcome_unknown" });
        expect(award.answers.at(-1)).toMatchObject({ status: 200, replayed: true });
      }),
    );
    await expectKept(expect, "cut behind the commit", clanId, sent);
  });
});

type Lane = { mongo: TcpProxy; target: Target };

/**
 * Bytes that one award takes at least, the first of its member, on a warm connection and after `idleMs` without
 * another. One that comes half a second after the one before also reads key and rules again, so several are measured.
 */
async function bytesOf(lanes: readonly Lane[], way: Way, sent: SentAward[], idleMs = 0): Promise<number> {
  const taken: number[] = [];
  const measureIn = async ({ mongo, target }: Lane, index: number): Promise<void> => {
    await sendUntilApplied(target, newAward("warm", index), sent);
    for (const member of ["measured-1", "measured-2", "measured-3"]) {
      await pause(idleMs);
      const before = mongo.passed(way);
      await sendUntilApplied(target, newAward(member, index), sent);
      taken.push(mongo.passed(way) - before);
    }
  };
  await Promise.all(lanes.map(measureIn));
  return Math.min(...taken);
}

async function sendUntilApplied(target: Target, award: SentAward, sent: SentAward[]): Promise<void> {
  sent.push(award);
  await until(async () => (await sendOnce(target, award)) === 200);
}

/**
 * All of one length, so that bytes can be counted, and each lane's members its own: none waits for what another's cut
 * left open.
 */
function newAward(name: string, index: number): SentAward {
  const platformId = `${name}-${index % LANES}`.padEnd(20, ".");
  return { platformId, key: `${platformId}-${index + 1_000_000}`, amount: 5, answers: [] };
}
