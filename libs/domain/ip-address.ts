// IPv6 addresses in their groups, and the IPv4 addresses that they carry.

const GROUPS = 8;
/** Of an IPv4 address as a socket for both families reports it (RFC 4291, 2.5.5.2). */
const MAPPED_PREFIX = "0:0:0:0:0:ffff";

/** `[2001:db8::7]:443`, `[2001:db8::7]` or `203.0.113.7:443`, also as a quoted text (RFC 7239, 6). */
const WITH_PORT = /^"?(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+)(?::\d+)?)"?$/;

/** The eight groups, in hexadecimal without leading zeros and a zone; null if the text is not an IPv6 address. */
export function ipv6Groups(address: string): string[] | null {
  const [bare = ""] = address.split("%");
  const url = bare.includes(":") ? URL.parse(`http://[${bare}]`) : null;
  if (!url) return null;
  // A URL has one canonical short form: lower case, an embedded IPv4 address in hexadecimal.
  const [before = [], after = []] = url.hostname
    .slice(1, -1)
    .split("::")
    .map((part) => part.split(":").filter((group) => group !== ""));
  return [...before, ...Array<string>(GROUPS - before.length - after.length).fill("0"), ...after];
}

/** The IPv4 address in the last two groups. */
export function ipv4In(groups: readonly string[]): string {
  return groups
    .slice(-2)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((number) => [number >> 8, number & 0xff])
    .join(".");
}

/**
 * The IPv4 address in a mapped one, and without the port and the brackets that some proxies add. Other texts are not
 * changed.
 */
export function plainAddress(text: string): string {
  const address = WITH_PORT.exec(text.trim())?.slice(1).find(Boolean) ?? text;
  const groups = ipv6Groups(address);
  return groups?.slice(0, 6).join(":") === MAPPED_PREFIX ? ipv4In(groups) : address;
}
