// Secrets at rest.
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { makeSealer } from "#delivery/couriers/sealer.ts";

const newKey = (): string => randomBytes(32).toString("base64");
const secret = "https://discord.com/api/webhooks/1/tökén";

test("a sealed text opens with its key and in its context only", () => {
  const sealer = makeSealer(newKey());
  const sealed = sealer.seal(secret, "dst_1");
  expect(sealer.open(sealed, "dst_1")).toBe(secret);
  expect(sealer.open(sealed, "dst_2")).toBeNull();
  expect(makeSealer(newKey()).open(sealed, "dst_1")).toBeNull();
  expect(sealer.seal(secret, "dst_1")).not.toBe(sealed);
});

test("of several keys, the first encrypts and all decrypt", () => {
  const [before, after] = [newKey(), newKey()];
  const sealedBefore = makeSealer(before).seal(secret, "dst_1");
  const sealer = makeSealer(`${after}, ${before}`);
  expect(sealer.open(sealedBefore, "dst_1")).toBe(secret);
  const sealed = sealer.seal(secret, "dst_1");
  expect(makeSealer(after).open(sealed, "dst_1")).toBe(secret);
  expect(makeSealer(before).open(sealed, "dst_1")).toBeNull();
});

test("a text that was changed anywhere, or was never sealed, does not open", () => {
  const sealer = makeSealer(newKey());
  const [version = "", bytes = ""] = sealer.seal(secret, "dst_1").split(".");
  const sealed = Buffer.from(bytes, "base64");
  for (let index = 0; index < sealed.length; index++) {
    const changed = Buffer.from(sealed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(sealer.open(`${version}.${changed.toString("base64")}`, "dst_1")).toBeNull();
  }
  for (let length = 0; length < sealed.length; length++)
    expect(sealer.open(`${version}.${sealed.subarray(0, length).toString("base64")}`, "dst_1")).toBeNull();
  for (const text of ["", "v1.", secret, bytes, `v2.${bytes}`]) expect(sealer.open(text, "dst_1")).toBeNull();
});
