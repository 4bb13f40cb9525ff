// Guessing keys costs the service almost nothing, reveals nothing, and affects no other caller.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { crc32, digest, randomText, sameText } from "#runtime/process/secrets.ts";
import { makeCounters } from "#runtime/metrics/counters.ts";
import { AWARD_DEADLINE_MS } from "#ledger/bounds.ts";
import { makeCheckKey, type CheckKey } from "#usecases/keys/check-key.ts";
import { formatKeyText, KEY_ID_CHARS, SECRET_CHARS } from "#domain/key-text.ts";
import type { Key } from "#domain/key.ts";
import { makeClanCaller } from "../../../support/clan-caller.ts";
import { callerOf, type Reply } from "../../../support/http.ts";
import { requestText } from "../../../support/raw-http.ts";
import { makeWorld, type World } from "../../../support/world.ts";
import { flood } from "../../../security/flood.ts";
import { startProcess, type RealProcess } from "../../../support/processes.ts";
import { testActor } from "../../../support/actor.ts";

/** A key text whose checksum is right: anyone can make these. */
function guess(keyId = randomText(KEY_ID_CHARS)): string {
  return formatKeyText({ keyId, secret: randomText(SECRET_CHARS) }, crc32);
}

const clock = { now: () => new Date(), monotonicMs: () => 0, agingMs: () => 0 };
const rejection = expect.objectContaining({ code: "key_invalid" });

/** One key is known. Each read of the store is noted with the number of keys asked for, and answers a moment later. */
function checkKeyOverStore(same = sameText): { checkKey: CheckKey; keyText: string; reads: number[] } {
  const keyId = randomText(KEY_ID_CHARS);
  const keyText = guess(keyId);
  const key = {
    keyId,
    clanId: "c",
    hash: digest(keyText),
    scopes: ["read"],
    revokedAt: null,
    expiresAt: null,
    limits: {},
  } as unknown as Key;
  const reads: number[] = [];
  const checkKey = makeCheckKey({
    keys: {
      async readMany(keyIds) {
        reads.push(keyIds.length);
        await new Promise((resolve) => setImmediate(resolve));
        return keyIds.includes(keyId) ? [key] : [];
      },
    },
    clock,
    digest,
    crc32,
    sameText: same,
    noteUse() {},
    meter: makeCounters(),
  });
  return { checkKey, keyText, reads };
}

describe("guessing API keys", () => {
  test("causes no read if the checksum is wrong", async () => {
    const { checkKey, keyText, reads } = checkKeyOverStore();
    const wrong = [...keyText].map(
      (character, index) => keyText.slice(0, index) + (character === "a" ? "b" : "a") + keyText.slice(index + 1),
    );
    const random = Array.from(
      { length: 5_000 },
      () => `cxp_${randomText(KEY_ID_CHARS)}_${randomText(SECRET_CHARS + 6)}`,
    );
    for (const text of [...wrong, ...random, "", "cxp_", "x".repeat(100_000)])
      await expect(checkKey(text)).rejects.toStrictEqual(rejection);
    expect(reads).toStrictEqual([]);
  });

  test("with correct checksums shares reads among hundreds of keys, and a valid key among them is accepted", async () => {
    const { checkKey, keyText, reads } = checkKeyOverStore();
    const guesses = Array.from({ length: 2_000 }, () => checkKey(guess()));
    const good = checkKey(keyText);
    for (const checked of guesses) await expect(checked).rejects.toStrictEqual(rejection);
    await expect(good).resolves.toMatchObject({ clanId: "c" });
    expect(reads.length).toBeLessThanOrEqual(10);
  });

  test("receives busy immediately beyond thousands of keys that wait for a slow store", async () => {
    const { checkKey } = checkKeyOverStore();
    const settled = await Promise.allSettled(Array.from({ length: 20_000 }, () => checkKey(guess())));
    const codes = new Set(settled.map((one) => (one.status === "rejected" ? one.reason.code : "let in")));
    expect(codes).toStrictEqual(new Set(["key_invalid", "busy"]));
  });

  test("causes one read for repeated keys, and one for wrong secrets of a known key ID", async () => {
    const { checkKey, keyText, reads } = checkKeyOverStore();
    const twice = guess();
    const [, keyId = ""] = keyText.split("_");
    for (const text of [twice, twice, guess(keyId), guess(keyId), guess(keyId)])
      await expect(checkKey(text)).rejects.toStrictEqual(rejection);
    await expect(checkKey(keyText)).resolves.toMatchObject({ keyId });
    expect(reads).toHaveLength(2);
  });

  test("does not increase memory, because the cache of unknown keys is bounded", async () => {
    const { checkKey } = checkKeyOverStore();
    const guessed = async (count: number): Promise<void> => {
      for (let done = 0; done < count; done += 500)
        await Promise.allSettled(Array.from({ length: 500 }, () => checkKey(guess())));
    };
    await guessed(12_000);
    const beforeBytes = heapBytes();
    await guessed(24_000);
    expect(heapBytes() - beforeBytes).toBeLessThan(3 * 1024 * 1024);
  });

  test("is answered by a comparison in constant time only", async () => {
    const never = checkKeyOverStore(() => false);
    await expect(never.checkKey(never.keyText)).rejects.toStrictEqual(rejection);
    for (const [a, b, same] of [
      ["ab", "ab", true],
      ["ab", "ac", false],
      ["ab", "abc", false],
      ["", "", true],
      ["é", "e", false],
    ] as const) {
      expect(sameText(a, b)).toBe(same);
    }
  });
});

/** After a collection, so that two of them compare. */
function heapBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

describe("an API key at the path of another clan", () => {
  let world: World;
  let port: number;
  beforeAll(async () => {
    world = await makeWorld();
    ({ port } = await world.startApi());
  });
  afterAll(() => world.close());

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
    const medians = timesMs.map((times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0);
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
    ["mistyped", () => `${guess().slice(0, -6)}zzzzzz`],
    ["with correct checksums", () => guess()],
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
