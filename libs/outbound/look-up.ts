// Finds the addresses of a host. A receiver's owner also owns its name servers, which may never respond: getaddrinfo
// would block one of Node's few threads meanwhile, and with it the requests of others. So names of the internet are
// resolved by Node's own resolver, and only names that it does not find by getaddrinfo, a few at a time.
import type { LookupOptions } from "node:dns";
import { lookup, Resolver } from "node:dns/promises";
import { isIPv4, type LookupFunction } from "node:net";

/** IPv4 addresses first. Rejects, with the codes of node:dns, if there is none. */
export type LookUp = (host: string) => Promise<string[]>;

/** Within the time for a connection. */
const RESOLVER = { timeout: 1_500, tries: 2 } as const;
/** Of the four threads that Node has. */
const GETADDRINFO_AT_ONCE_MAX = 2;
/** A server has responded that the name does not exist, or no server could be asked. */
const NOT_FOUND: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED", "ESERVFAIL", "EREFUSED"]);

/** A new resolver each time: one never learns that the machine has other name servers now. */
export function makeLookUp(newResolver: () => Resolver = () => new Resolver(RESOLVER)): LookUp {
  const lookUpLocally = makeLookUpLocally();
  return async (host) => {
    if (!host.replace(/\.$/, "").includes(".")) return lookUpLocally(host);
    const resolver = newResolver();
    const responses = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = responses.flatMap((response) => (response.status === "fulfilled" ? response.value : []));
    if (addresses.length > 0) return addresses;
    const codes = responses.map((response) => (response.status === "rejected" ? codeOf(response.reason) : undefined));
    if (codes.every((code) => NOT_FOUND.has(code))) return lookUpLocally(host);
    throw dnsError(String(codes.find((code) => !NOT_FOUND.has(code))));
  };
}

/** Names that this machine alone knows: those in /etc/hosts, of Compose services, and with a search domain. */
function makeLookUpLocally(): LookUp {
  const lookUps = new Map<string, Promise<string[]>>();
  const running = new Set<Promise<unknown>>();

  async function run(host: string): Promise<string[]> {
    while (running.size >= GETADDRINFO_AT_ONCE_MAX) await Promise.race(running);
    const found = lookup(host, { all: true });
    const ended = found.catch(() => null).finally(() => running.delete(ended));
    running.add(ended);
    return (await found).toSorted((one, other) => one.family - other.family).map(({ address }) => address);
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
