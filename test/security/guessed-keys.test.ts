// Keys that somebody guesses, at a real API: they reveal nothing by their timing, and hold up nobody else.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AWARD_DEADLINE_MS } from "#ledger/bounds.ts";
import { formatKeyText, KEY_ID_CHARS, SECRET_CHARS } from "#domain/key-text.ts";
import { crc32, randomText } from "#process/secrets.ts";
import { testActor } from "../support/actor.ts";
import { makeClanCaller } from "../support/clan-caller.ts";
import { callerOf, type Reply } from "../support/http.ts";
import { median } from "../support/median.ts";
import { startProcess, type RealProcess } from "../support/processes.ts";
import { requestText } from "../support/raw-http.ts";
import { makeWorld, type World } from "../support/world.ts";
import { useApi } from "../support/use-api.ts";
import { flood } from "./flood.ts";

/** A key text whose checksum is right: anyone can make these. */
function guessedKey(): string {
  return formatKeyText({ keyId: randomText(KEY_ID_CHARS), secret: randomText(SECRET_CHARS) }, crc32);
}

describe("an API key at the path of another clan", async () => {
  const { world, port } = await useApi();

  test("gets the same headers and timing whether that clan exists, does not, or cannot exist", async () => {
    const [own, other] = [await makeClanCaller(world, port), await makeClanCaller(world, port)];
    await world.keys.limit(own.key.split("_")[1] ?? "", { requestsPerSecond: null, awardsPerSecond: null }, testActor);
    const answers = new Set<string>();
    const rejected = (clanId: string) => async (): Promise<string> =>
      textOf(await callerOf(port, own.key).post(`/v0/clans/${clanId}/members/m/xp`, { amount: 1 }));
    const requests: (() => Promise<unknown>)[] = [other.clanId, `clan-${"0".repeat(10)}`, "%zz"].map(rejected);
    // What one read of MongoDB costs here and now: looking a clan up would take about as long.
    const read = requests.push(() => own.get("/members/nobody")) - 1;

    const timesMs: number[][] = requests.map(() => []);
    for (let round = 0; round < 150; round += 1) {
      for (let turn = 0; turn < requests.length; turn += 1) {
        // In another order each time: what follows on a read may be slower.
        const index = (round * 3 + turn * (round % 2 === 0 ? 1 : 3)) % requests.length;
        const startMs = performance.now();
        const answer = await requests[index]?.();
        timesMs[index]?.push(performance.now() - startMs);
        // The first requests may still meet the limits that the key had.
        if (index !== read && round > 0) answers.add(String(answer));
      }
    }
    expect([...answers]).toStrictEqual([...answers].slice(0, 1));
    const medians = timesMs.map(median);
    const [readMs = 0] = medians.splice(read);
    const fastest = Math.min(...medians);
    expect(readMs).toBeGreaterThan(fastest);
    expect(Math.max(...medians) - fastest).toBeLessThan((readMs - fastest) / 2);
  });

  function textOf({ status, headers, body }: Reply): string {
    const named = [...headers].filter(
      ([name]) => !["request-id", "date", "content-length"].includes(name) && !name.startsWith("ratelimit"),
    );
    // Request ids grow longer.
    const length = Number(headers.get("content-length")) - body.requestId.length;
    return JSON.stringify([status, named, length, { ...body, requestId: "" }]);
  }
});

describe("an endless series of invalid API keys", { timeout: 60_000 }, () => {
  const GOOD_CALLS = 10;
  const LINES = 4;
  const AT_ONCE = 100;
  let world: World;
  let api: RealProcess;
  beforeAll(async () => {
    world = await makeWorld();
    api = startProcess("api", { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
  });
  afterAll(async () => {
    await api.stop();
    await world.close();
  });

  test.for([
    ["mistyped", () => `${guessedKey().slice(0, -6)}zzzzzz`],
    ["with correct checksums", () => guessedKey()],
  ] as const)("(%s) is rejected, and valid requests are served in time", async ([, make]) => {
    const { port } = await api.ready();
    const clan = await makeClanCaller(world, port);
    await clan.award("good", { amount: 1 });
    const request = (): string => requestText("GET", `/v0/clans/${clan.clanId}`, [["api-key", make()]]);
    const block = (): { text: string; requests: number } => ({
      text: Array.from({ length: AT_ONCE }, request).join(""),
      requests: AT_ONCE,
    });
    const lines = Array.from({ length: LINES }, () => Array.from({ length: 20 }, block));
    const replies: Reply[] = [];
    const startMs = performance.now();
    const served = (): boolean => replies.length === GOOD_CALLS;
    const [{ answered, total }, servedMs] = await Promise.all([
      flood({ port, lines, ended: served }),
      (async () => {
        while (!served()) replies.push(await clan.award("good", { amount: 1 }));
        return performance.now() - startMs;
      })(),
    ]);

    expect([...answered.keys()]).toStrictEqual([401]);
    expect(total).toBeGreaterThanOrEqual(LINES * AT_ONCE);
    expect(replies.map(({ status }) => status)).toStrictEqual(Array(GOOD_CALLS).fill(200));
    expect(servedMs / GOOD_CALLS).toBeLessThan(AWARD_DEADLINE_MS / 2);
    expect((await clan.get("/members/good")).body.xp).toBe(String(GOOD_CALLS + 1));
  });
});
