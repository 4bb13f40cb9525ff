// Which addresses of strangers may be reached: public ones, and those that an operator has allowed. An address is
// public if no registry of IANA lists it for a special purpose without marking it as globally reachable.
import { BlockList, isIP, isIPv4 } from "node:net";
import { ipv4In, ipv6Groups } from "#domain/ip-address.ts";

export type AddressRules = {
  isPublic(address: string): boolean;
  /** Whether WEBHOOK_ALLOW_PRIVATE names it. */
  isAllowed(address: string): boolean;
};

/** https://www.iana.org/assignments/iana-ipv4-special-registry, multicast and the deprecated relays of 6to4. */
const IPV4_NOT_PUBLIC = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
/** All that is allocated so far (https://www.iana.org/assignments/ipv6-address-space). */
const IPV6_GLOBAL = ["2000::/3"];
const IPV6_NOT_PUBLIC = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];
/**
 * Cloud providers serve credentials at link-local addresses and at these others, so a larger block does not include
 * them: each needs its own.
 */
const LINK_LOCAL = ["169.254.0.0/16", "fe80::/10"];
const METADATA = ["fd00:ec2::254/128", "fd20:ce::254/128", "100.100.100.200/32"];
const NAMED_ALONE = [...LINK_LOCAL, ...METADATA];
/** An IPv4 address in IPv6: as sockets report it, and through NAT64 (RFC 4291, RFC 6052). */
const CARRY_IPV4 = new Set(["0:0:0:0:0:ffff", "64:ff9b:0:0:0:0"]);

const namedAlone = blocksOf(NAMED_ALONE);
const ipv4NotPublic = blocksOf(IPV4_NOT_PUBLIC);
const ipv6Global = blocksOf(IPV6_GLOBAL);
const ipv6NotPublic = blocksOf(IPV6_NOT_PUBLIC);

/** `allowPrivate`: blocks such as 10.1.0.0/16 or ::1/128. */
export function makeAddressRules(allowPrivate: readonly string[]): AddressRules {
  const allowed = blocksOf(allowPrivate);
  const allowedAlone = blocksOf(allowPrivate.filter((block) => NAMED_ALONE.includes(block)));
  return {
    isPublic(address) {
      const plain = withoutCarrier(address);
      if (isIPv4(plain)) return !contains(ipv4NotPublic, plain);
      return contains(ipv6Global, plain) && !contains(ipv6NotPublic, plain);
    },
    isAllowed(address) {
      const plain = withoutCarrier(address);
      return contains(contains(namedAlone, plain) ? allowedAlone : allowed, plain);
    },
  };
}

/** The IPv4 address that an IPv6 address carries, otherwise the address, without a zone. */
function withoutCarrier(address: string): string {
  const groups = ipv6Groups(address);
  if (groups === null) return address;
  return CARRY_IPV4.has(groups.slice(0, 6).join(":")) ? ipv4In(groups) : groups.join(":");
}

function blocksOf(texts: readonly string[]): BlockList {
  const blocks = new BlockList();
  for (const text of texts) {
    const [address = "", bits = ""] = text.split("/");
    blocks.addSubnet(address, Number(bits), isIPv4(address) ? "ipv4" : "ipv6");
  }
  return blocks;
}

function contains(blocks: BlockList, address: string): boolean {
  return isIP(address) !== 0 && blocks.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}
