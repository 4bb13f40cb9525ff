// What is wrong with a URL that a person enters, as far as its text shows it (docs/how-to/receive-webhooks.md).
import { isIP } from "node:net";
import { DESTINATION_URL_CHARS_MAX } from "#domain/destination.ts";
import { makeAddressRules, type AddressRules } from "#delivery/couriers/address-rules.ts";

/** A sentence with the fix; null if there is none. `allowPrivate`: blocks that WEBHOOK_ALLOW_PRIVATE names. */
export function findUrlFault(text: string, allowPrivate: readonly string[]): string | null {
  const parsed = parseReceiverUrl(text);
  return "fault" in parsed ? parsed.fault : findHostFault(parsed, allowPrivate);
}

/**
 * `address`: of a host that is a literal address, without brackets; Node looks such hosts up nowhere. `needsAllowed`:
 * the URL is possible only for addresses that the operator has allowed.
 */
export type ReceiverUrl = { url: URL; address: string | null; needsAllowed: boolean };

/** Below are the ports of services that are no receivers, such as mail; 443 is the default of https. */
const PORT_MIN = 1_024;

export function parseReceiverUrl(text: string): ReceiverUrl | { fault: string } {
  if (text.length > DESTINATION_URL_CHARS_MAX)
    return { fault: `The URL is longer than ${DESTINATION_URL_CHARS_MAX} characters.` };
  // URL.parse removes or replaces these: what is shown and what is called would differ.
  if (/[\s\\\p{Cc}]/u.test(text)) return { fault: "The URL contains white space, a control character or a backslash." };
  const url = /^https?:\/\/[^/]/i.test(text) ? URL.parse(text) : null;
  if (url === null) return { fault: "This is not a URL such as https://example.com/clan-events." };
  if (/^[^/]*\/\/[^/?#]*@/.test(text))
    return { fault: "The URL contains a user name or password. Put a secret into the path or the query instead." };
  if (text.includes("#")) return { fault: "The URL contains a fragment, #…, which is never sent. Remove it." };
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const needsAllowed = url.protocol === "http:" || (url.port !== "" && Number(url.port) < PORT_MIN);
  return { url, address: isIP(host) === 0 ? null : host, needsAllowed };
}

/**
 * Of a literal address, and of localhost, which is this machine whatever a server says (RFC 6761). Another name is
 * looked up later, but without any block that is allowed it can be no other.
 */
export function findHostFault(
  { url, address, needsAllowed }: ReceiverUrl,
  allowPrivate: readonly string[],
): string | null {
  const rules = makeAddressRules(allowPrivate);
  const addresses = address !== null ? [address] : LOCALHOST.test(url.hostname) ? ["127.0.0.1", "::1"] : null;
  const isPossible = addresses
    ? addresses.some((one) => mayReach(rules, one, needsAllowed))
    : !needsAllowed || allowPrivate.length > 0;
  return isPossible ? null : hostFault(needsAllowed);
}

const LOCALHOST = /(?:^|\.)localhost\.?$/;

export function mayReach(rules: AddressRules, address: string, needsAllowed: boolean): boolean {
  return rules.isAllowed(address) || (!needsAllowed && rules.isPublic(address));
}

export function hostFault(needsAllowed: boolean): string {
  return needsAllowed
    ? "The URL must begin with https:// and have port 443, or 1024 to 65535. Others are possible only for addresses that an operator has allowed with WEBHOOK_ALLOW_PRIVATE."
    : "The host is not a public address (blocked_address). An operator can allow blocks of private addresses with WEBHOOK_ALLOW_PRIVATE.";
}
