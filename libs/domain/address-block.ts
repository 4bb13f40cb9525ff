// The unit that limits count as one address: an IPv4 address, or an IPv6 /64. A single line has 2^64 addresses (RFC
// 6177), so a limit for each of them would limit nothing.
import { ipv4In, ipv6Groups } from "#domain/ip-address.ts";

const GROUPS_OF_BLOCK = 4;
/** An IPv4 address as a dual-stack socket reports it (RFC 4291, 2.5.5.2): the rest of it is IPv4. */
const MAPPED_PREFIX = "0:0:0:0:0:ffff";

/** Text that is not an IPv6 address is its own block. */
export function addressBlock(address: string): string {
  const groups = ipv6Groups(address);
  if (groups === null) return address;
  if (groups.slice(0, 6).join(":") === MAPPED_PREFIX) return ipv4In(groups);
  return `${groups.slice(0, GROUPS_OF_BLOCK).join(":")}::/64`;
}
