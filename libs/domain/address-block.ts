// The unit that limits count as one address: an IPv4 address, or an IPv6 /64. A single line has 2^64 addresses (RFC
// 6177), so a limit for each of them would limit nothing.

const GROUPS = 8;
const GROUPS_OF_BLOCK = 4;
/** An IPv4 address as a dual-stack socket reports it (RFC 4291, 2.5.5.2): the rest of it is IPv4. */
const MAPPED_PREFIX = "0:0:0:0:0:ffff";

/** Text that is not an IPv6 address is its own block. */
export function addressBlock(address: string): string {
  const [bare = ""] = address.split("%");
  const url = bare.includes(":") ? URL.parse(`http://[${bare}]`) : null;
  if (!url) return address;
  // A URL has one canonical short form: lower case, an embedded IPv4 address in hexadecimal.
  const [before = [], after = []] = url.hostname
    .slice(1, -1)
    .split("::")
    .map((part) => part.split(":").filter((group) => group !== ""));
  const groups = [...before, ...Array<string>(GROUPS - before.length - after.length).fill("0"), ...after];
  if (groups.slice(0, 6).join(":") === MAPPED_PREFIX) return ipv4Of(groups.slice(6));
  return `${groups.slice(0, GROUPS_OF_BLOCK).join(":")}::/64`;
}

function ipv4Of(groups: readonly string[]): string {
  return groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((number) => [number >> 8, number & 0xff])
    .join(".");
}
