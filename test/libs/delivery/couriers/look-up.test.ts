// Addresses of hosts, also from name servers of strangers.
import { lookup, type Resolver } from "node:dns/promises";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeLookUp } from "#delivery/couriers/look-up.ts";
import { startNameServer } from "../../../support/name-server.ts";

const v4 = (...bytes: number[]): Uint8Array => Uint8Array.from(bytes);
const v6 = Uint8Array.from({ length: 16 }, (_, index) => (index === 15 ? 1 : 0));

const silent = Array.from({ length: 20 }, (_, index) => `silent-${index}.example`);
const server = await startNameServer({
  "both.example": [v6, v4(8, 8, 8, 8), v4(127, 0, 0, 1)],
  "six.example": [v6],
  "half.example": { silent6: [v4(8, 8, 4, 4)] },
  ...Object.fromEntries(silent.map((name) => [name, "silent" as const])),
});
afterAll(() => server.close());
/** Longer than a busy machine lets this process pause: what responds is never late. */
const PATIENT_MS = 20_000;
const resolvers: Resolver[] = [];
const lookUp = makeLookUp({
  newResolver() {
    const resolver = server.newResolver(PATIENT_MS);
    resolvers.push(resolver);
    return resolver;
  },
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
  await expect(makeLookUp({ newResolver: () => server.newResolver() })("silent-0.example")).rejects.toThrow("ETIMEOUT");
});

test("a name whose server never responds about IPv6 has its other addresses without that wait", async () => {
  const startMs = performance.now();
  expect(await lookUp("half.example")).toEqual(["8.8.4.4"]);
  expect(performance.now() - startMs).toBeLessThan(PATIENT_MS);
});

test("the file of hosts decides before every server", async ({ onTestFinished }) => {
  const folder = await mkdtemp(join(tmpdir(), "clanxp-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const hostsPath = join(folder, "hosts");
  await writeFile(
    hostsPath,
    "# 10.0.0.1 both.example\n::1 Both.Example\n127.0.0.9\tother both.example # here\nx both.example\n",
  );
  const looksUp = makeLookUp({ hostsPath, newResolver: () => server.newResolver(PATIENT_MS) });
  for (const host of ["both.example", "BOTH.example."]) expect(await looksUp(host)).toEqual(["127.0.0.9", "::1"]);
  expect(await looksUp("six.example")).toEqual(["::1"]);
});

const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
const never = new Promise<never>(() => {});

test("a name that keeps getaddrinfo waiting delays no name of this machine", async () => {
  const resolver = { resolve4: failing("ENOTFOUND"), resolve6: failing("ENOTFOUND") };
  const asked: string[] = [];
  const looksUp = makeLookUp({
    newResolver: () => resolver,
    hostsPath: "/none",
    getAddrInfo(host) {
      asked.push(host);
      return host.includes(".") ? never : Promise.resolve([{ address: "10.0.0.7", family: 4 }]);
    },
  });
  for (const host of ["a.example", "b.example"]) void looksUp(host);
  expect(await looksUp("service")).toEqual(["10.0.0.7"]);
  expect(asked).toEqual(expect.arrayContaining(["a.example", "service"]));
  expect(asked).not.toContain("b.example");
});

test("a server that fails is not taken for one that does not know the name", async () => {
  const getAddrInfo = () => Promise.reject(new Error("was asked"));
  const resolver = { resolve4: failing("ESERVFAIL"), resolve6: failing("ESERVFAIL") };
  const looksUp = makeLookUp({ newResolver: () => resolver, hostsPath: "/none", getAddrInfo });
  await expect(looksUp("a.example")).rejects.toThrow("ESERVFAIL");
});
