// Guessing keys costs the service almost nothing, reveals nothing, and affects no other caller.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { crc32, digest, randomText, sameText } from "#process/secrets.ts";
import { makeCounters } from "#telemetry/metrics/counters.ts";
import { makeCheckKey, type CheckKey } from "#keys/check-key.ts";
import { formatKeyText, KEY_ID_CHARS, SECRET_CHARS } from "#domain/key-text.ts";
import type { Key } from "#domain/key.ts";

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
