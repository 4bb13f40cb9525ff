// Addresses of hosts, also from name servers of strangers.
import { lookup, type Resolver } from "node:dns/promises";
import { afterAll, expect, test } from "vitest";
import { makeLookUp } from "#outbound/look-up.ts";
import { startNameServer } from "../../support/name-server.ts";

const v4 = (...bytes: number[]): Uint8Array => Uint8Array.from(bytes);
const v6 = Uint8Array.from({ length: 16 }, (_, index) => (index === 15 ? 1 : 0));

const silent = Array.from({ length: 20 }, (_, index) => `silent-${index}.example`);
const server = await startNameServer({
  "both.example": [v6, v4(8, 8, 8, 8), v4(127, 0, 0, 1)],
  "six.example": [v6],
  ...Object.fromEntries(silent.map((name) => [name, "silent" as const])),
});
afterAll(() => server.close());
/** Longer than a busy machine lets this process pause: what responds is never late. */
const PATIENT_MS = 20_000;
const resolvers: Resolver[] = [];
const lookUp = makeLookUp(() => {
  const resolver = server.newResolver(PATIENT_MS);
  resolvers.push(resolver);
  return resolver;
});

test("a name has all its addresses, IPv4 first", async () => {
  expect(await lookUp("both.example")).toEqual(["8.8.8.8", "127.0.0.1", "::1"]);
  expect(await lookUp("six.example")).toEqual(["::1"]);
});

test("names that no server knows are looked up as this machine does, those without a dot only so", async () => {
  expect(await lookUp("localhost")).toContain("127.0.0.1");
  expect(server.questions.filter((name) => name.startsWith("localhost"))).toEqual([]);
  await expect(lookUp("no-such-name.invalid")).rejects.toThrow("no-such-name.invalid");
  expect(server.questions).toContain("no-such-name.invalid");
});

test("names whose server never responds delay no other name", async () => {
  let ended = 0;
  const waiting = silent.map((name) => lookUp(name).finally(() => (ended += 1)));
  const all = Promise.allSettled(waiting);
  await Promise.all([lookUp("both.example"), lookUp("localhost"), lookup("localhost")]);
  expect(ended).toBe(0);
  for (const resolver of resolvers) resolver.cancel();
  await all;
});

test("a name whose server never responds fails in time", async () => {
  await expect(makeLookUp(server.newResolver)("silent-0.example")).rejects.toThrow("ETIMEOUT");
});
