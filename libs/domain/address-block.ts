// The unit that limits count as one address: an IPv4 address, or an IPv6 /64. A single line has 2^64 addresses (RFC
// 6177), so a limit for each of them would limit nothing.
import { ipv6Groups, plainAddress } from "#domain/ip-address.ts";

const GROUPS_OF_BLOCK = 4;

/** Text that is not an IPv6 address is its own block. */
export function addressBlock(address: string): string {
  const plain = plainAddress(address);
  const groups = ipv6Groups(plain);
  if (groups === null) return plain;
  return `${groups.slice(0, GROUPS_OF_BLOCK).join(":")}::/64`;
}
