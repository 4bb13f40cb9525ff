// Finds the addresses of a host. A receiver's owner also owns its name servers, which may never respond: getaddrinfo
// would block one of Node's few threads meanwhile, and with it the requests of others. So the file of hosts decides
// first, names of the internet are resolved by Node's own resolver, and only names that it does not find by
// getaddrinfo: one with dots and one without at the same time, because strangers choose names with dots alone.
import type { LookupOptions } from "node:dns";
import { lookup, Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP, isIPv4, type LookupFunction } from "node:net";
import { pause } from "#async/pause.ts";

/** IPv4 addresses first. Rejects, with the codes of node:dns, if there is none. */
export type LookUp = (host: string) => Promise<string[]>;

/** Within the time for a connection. */
const RESOLVER = { timeout: 1_500, tries: 2 } as const;
/** When one of the two questions was answered with addresses, the other one is waited for so long. */
const OTHER_FAMILY_MS = 250;
/** The name does not exist, or no server could be asked. A server that fails may do so on purpose. */
const NOT_FOUND: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED"]);
const HOSTS_PATH = "/etc/hosts";

type LookUpDeps = {
  /** A new resolver each time: one never learns that the machine has other name servers now. */
  newResolver?: () => Pick<Resolver, "resolve4" | "resolve6">;
  hostsPath?: string;
  getAddrInfo?: (host: string, options: { all: true }) => Promise<{ address: string; family: number }[]>;
};

export function makeLookUp({
  newResolver = () => new Resolver(RESOLVER),
  hostsPath = HOSTS_PATH,
  getAddrInfo = lookup,
}: LookUpDeps = {}): LookUp {
  const [lookUpPlain, lookUpDotted] = [makeLookUpLocally(getAddrInfo), makeLookUpLocally(getAddrInfo)];
  return async (host) => {
    const name = host.toLowerCase().replace(/\.$/, "");
    const listed = await readHosts(hostsPath, name);
    if (listed.length > 0) return listed;
    if (!name.includes(".")) return lookUpPlain(host);
    const responses = await ask(newResolver(), host);
    const addresses = responses.flatMap((response) => (Array.isArray(response) ? response : []));
    if (addresses.length > 0) return addresses;
    const codes = responses.map(codeOf);
    // Of a name that does not exist, one of the two answers says so for both.
    if (codes.includes("ENOTFOUND") || codes.every((code) => NOT_FOUND.has(code))) return lookUpDotted(host);
    throw dnsError(String(codes.find((code) => !NOT_FOUND.has(code))));
  };
}

/** The addresses of each family, or why there are none. Neither question can keep the other one's answer for long. */
async function ask(resolver: Pick<Resolver, "resolve4" | "resolve6">, host: string): Promise<(string[] | Error)[]> {
  const found: [string[] | Error, string[] | Error] = [dnsError("ETIMEOUT"), dnsError("ETIMEOUT")];
  const both = [resolver.resolve4(host), resolver.resolve6(host)].map(async (question, index) => {
    found[index] = await question.catch((error: Error) => error);
    if (found[index] instanceof Error && codeOf(found[index]) !== "ENOTFOUND") throw found[index];
  });
  const decided = Promise.any(both).then(
    () => pause(OTHER_FAMILY_MS),
    () => {},
  );
  await Promise.race([decided, Promise.allSettled(both)]);
  return found;
}

async function readHosts(path: string, name: string): Promise<string[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  const addresses = text.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    return isIP(address) !== 0 && names.some((one) => one.toLowerCase() === name) ? address : [];
  });
  return ipv4First([...new Set(addresses)]);
}

function ipv4First(addresses: readonly string[]): string[] {
  return addresses.toSorted((one, other) => isIP(one) - isIP(other));
}

/** Names that this machine alone knows: those of Compose services, and with a search domain. One after the other. */
function makeLookUpLocally(getAddrInfo: NonNullable<LookUpDeps["getAddrInfo"]>): LookUp {
  const lookUps = new Map<string, Promise<string[]>>();
  let last: Promise<unknown> = Promise.resolve();

  async function run(host: string): Promise<string[]> {
    const before = last;
    const found = before.then(() => getAddrInfo(host, { all: true }));
    last = found.catch(() => {});
    return ipv4First((await found).map(({ address }) => address));
  }

  return (host) => {
    const lookUp = lookUps.get(host) ?? run(host).finally(() => lookUps.delete(host));
    lookUps.set(host, lookUp);
    return lookUp;
  };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function dnsError(code: string): Error {
  return Object.assign(new Error(`The name could not be resolved: ${code}`), { code });
}

/** As a connection asks for the addresses of its host. */
export function lookupOf(lookUp: LookUp): LookupFunction {
  return (host, options, callback) => void answer(host, lookUp, options, callback);
}

async function answer(
  host: string,
  lookUp: LookUp,
  { all }: LookupOptions,
  callback: Parameters<LookupFunction>[2],
): Promise<void> {
  const addresses = await lookUp(host).catch((error: Error) => error);
  if (addresses instanceof Error) return callback(addresses, []);
  const found = addresses.map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }));
  const [first = { address: "", family: 0 }] = found;
  if (all) callback(null, found);
  else callback(null, first.address, first.family);
}
