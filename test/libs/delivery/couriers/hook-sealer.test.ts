// Secrets of erasure hooks: everyone can encrypt them for the API, which alone decrypts them.
import { expect, test } from "vitest";
import { makeHookOpener, makeHookSealer, publicHookKey } from "#delivery/couriers/hook-sealer.ts";

const [KEY, OTHER_KEY] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64")) as [string, string];

test("what was encrypted with the public part of HOOK_KEY opens with it alone, in its context alone", () => {
  const sealer = makeHookSealer(publicHookKey(KEY));
  const sealed = sealer.seal("secret", "hok_1");
  expect(sealed).not.toContain("secret");
  expect(sealer.seal("secret", "hok_1")).not.toBe(sealed);
  expect(makeHookOpener(KEY).open(sealed, "hok_1")).toBe("secret");
  expect(makeHookOpener(KEY).open(sealed, "hok_2")).toBeNull();
  expect(makeHookOpener(OTHER_KEY).open(sealed, "hok_1")).toBeNull();
  for (const bad of ["", "v1.x", sealed.slice(0, -4), sealed.replace(/^..../, "AAAA")])
    expect(makeHookOpener(KEY).open(bad, "hok_1")).toBeNull();
});

test("of several keys, the first encrypts and all decrypt", () => {
  const [old, both] = [makeHookSealer(publicHookKey(KEY)).seal("secret", "hok_1"), `${OTHER_KEY}, ${KEY}`];
  expect(publicHookKey(both)).toBe(publicHookKey(OTHER_KEY));
  expect(makeHookOpener(both).open(old, "hok_1")).toBe("secret");
});
