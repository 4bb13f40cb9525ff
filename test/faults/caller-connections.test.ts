// Connections between callers and the API that end or fall silent at any byte: an award counts once after its retry,
// and a request whose caller disconnected leaves no lock, request slot or connection slot occupied. Other faults of
// these connections, under load: connection-faults.ts.
import type { Config } from "#process/config.ts";
import { afterAll, describe, test, type ExpectStatic } from "vitest";
import { until } from "../support/until.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { useWorld } from "../support/use-api.ts";
import type { SentAward } from "../support/oracle.ts";
import { sendOnce, type Target } from "./send.ts";
import { expectNoLocks } from "./expect-no-locks.ts";
import { openProxies } from "../support/proxies.ts";
import { seedOfRun } from "../support/seed.ts";
import { violations } from "./violations.ts";

/** The number of connections that are cut at the same time. */
const LANES = 6;
/** The API's request slots: if a cut connection kept its slot, this many simultaneous callers would not be served. */
const ROOM = 2 * LANES;
/**
 * The API's connection slots: for these requests, and for the working connections that stay open. Far fewer than are
 * cut.
 */
const CONNECTIONS = ROOM + 2 * LANES;
/** A caller who fell silent in mid-request is waited for so long; the API's own limits take longer to try out. */
const DEADLINES = { headersMs: 1_000, requestMs: 1_500, checkEveryMs: 100, silenceMs: 2_000 } as const;
const SILENCE_MS = 3_000;
/** Every seventh byte, each seed others; every byte in the long form. */
const STEP = process.env["FAULTS_MINUTES"] ? 1 : 7;
/** Any request of these is longer. */
const REQUEST_BYTES_MIN = 250;
const FAULTS = [
  ["cut at", "there"],
  ["cut at", "back"],
  ["silent from", "there"],
  ["silent from", "back"],
] as const;
const SILENT_CUTS_PER_LANE = 10;

const world = await useWorld();
type Lane = { proxy: TcpProxy; target: Target };

describe.concurrent("the connections to callers", { timeout: 240_000 }, () => {
  const seed = seedOfRun();
  const proxies: TcpProxy[] = [];
  afterAll(() => Promise.all(proxies.map((proxy) => proxy.close())));

  /** One API with few slots, and faulty connections to it; `direct` is a working one. */
  async function openLanes(count: number, config: Partial<Config> = {}): Promise<{ lanes: Lane[]; direct: Target }> {
    const { clan, key } = await world.makeClan();
    const { port } = await world.startApi({
      config,
      deadlines: DEADLINES,
      connectionsMax: CONNECTIONS,
      requestsMax: ROOM,
    });
    const targetAt = (at: number): Target => ({ clanId: clan.clanId, key, baseUrls: () => [`http://127.0.0.1:${at}`] });
    const lanes = Array.from({ length: count }, async () => {
      const proxy = await startTcpProxy({ host: "127.0.0.1", port });
      proxies.push(proxy);
      return { proxy, target: { ...targetAt(proxy.port), answerMsMax: SILENCE_MS } };
    });
    return { lanes: await Promise.all(lanes), direct: targetAt(port) };
  }

  test.for(FAULTS)(
    "%s any byte on the way %s leak nothing, and a retry applies the award once",
    async ([how, way], { expect }) => {
      const silently = how === "silent from";
      const { lanes, direct } = await openLanes(LANES);
      const sent: SentAward[] = [];
      const bytes = await bytesOf(lanes, way, sent);
      const everyBytes = silently ? Math.ceil(bytes / (LANES * SILENT_CUTS_PER_LANE)) : STEP;
      await Promise.all(
        lanes.map(async ({ proxy, target }, index) => {
          for (let cut = 1 + (seed % everyBytes) + everyBytes * index; cut <= bytes; cut += everyBytes * LANES) {
            const hangUp = new AbortController();
            const award = newAward(index, cut, sent);
            const wasCut = proxy.cutAfter(way, { bytes: cut }, { silently });
            const answer = sendOnce(target, award, 0, hangUp.signal);
            if (silently) void Promise.race([wasCut, answer]).then(() => hangUp.abort());
            await answer;
            await until(async () => (await sendOnce(target, award)) === 200);
            await wasCut;
          }
        }),
      );
      await expectUnharmed(expect, `${how} any byte, ${way}`, { direct, sent });
    },
  );

  test("reset while API keys are still being read leak nothing, and nothing is applied", async ({
    expect,
    onTestFinished,
  }) => {
    const { mongo, config, close } = await openProxies(world);
    onTestFinished(close);
    const { lanes, direct } = await openLanes(1, { mongoUrl: config.mongoUrl });
    const sent: SentAward[] = [];
    for (const { proxy, target } of lanes) {
      mongo.hold();
      const gone = Array.from({ length: ROOM }, (_, index) => newAward(index, 0, sent));
      const answers = Promise.all(gone.map((award) => sendOnce(target, award)));
      await until(async () => proxy.passed("there") > ROOM * REQUEST_BYTES_MIN);
      proxy.reset();
      // A process that pauses may find that what it was about to read took too long.
      expect((await answers).filter((status) => status !== 0 && status !== 408)).toStrictEqual([]);
      mongo.release();
    }
    await expectUnharmed(expect, "reset while keys are read", { direct, sent });
  });

  async function expectUnharmed(
    expect: ExpectStatic,
    fault: string,
    { direct, sent }: { direct: Target; sent: SentAward[] },
  ): Promise<void> {
    await untilAllAreServed(direct, sent);
    await expectNoLocks(world, direct.clanId);
    const seen = { awards: sent, batches: [] };
    expect(await violations(`callers' wire ${fault}`, world.database, direct.clanId, seen)).toStrictEqual([]);
  }
});

/** As many at the same time as the API has slots; those of the dead callers may be occupied until their deadlines. */
async function untilAllAreServed(target: Target, sent: SentAward[]): Promise<void> {
  const awards = Array.from({ length: ROOM }, (_, index) => newAward(index, 0, sent));
  await until(async () => {
    const statuses = await Promise.all(awards.map((award) => sendOnce(target, award)));
    return statuses.every((status) => status === 200);
  });
}

/** Bytes that one award takes that way, on a warm connection. */
async function bytesOf(lanes: readonly Lane[], way: "there" | "back", sent: SentAward[]): Promise<number> {
  const [lane] = lanes;
  if (!lane) throw new Error("there is no lane");
  await sendOnce(lane.target, newAward(0, 0, sent));
  const before = lane.proxy.passed(way);
  await sendOnce(lane.target, newAward(0, 1, sent));
  return lane.proxy.passed(way) - before;
}

/** All of one length, so that bytes can be counted. Each caller's own member: nobody waits for another's turn. */
function newAward(caller: number, index: number, sent: SentAward[]): SentAward {
  const award: SentAward = {
    platformId: `m${caller + 10}`,
    key: `${sent.length + 10_000}-${index + 10_000}`,
    amount: 1,
    answers: [],
  };
  sent.push(award);
  return award;
}
