// The one way to strangers. Each connection goes to an address that was checked after it was looked up, so a name that
// changes its addresses reaches nothing private. Redirects are responses like any other, and no proxy variable is read.
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { makeAddressRules } from "#delivery/couriers/address-rules.ts";
import { CONNECT_ATTEMPT_MS } from "#delivery/couriers/bounds.ts";
import { hostFault, mayReach, parseReceiverUrl } from "#delivery/couriers/find-url-fault.ts";
import { lookupOf, makeLookUp, type LookUp } from "#delivery/couriers/look-up.ts";
import { OutboundError } from "#delivery/couriers/outbound-error.ts";
import { makeRequests } from "#delivery/couriers/requests.ts";
import type { SendOutbound } from "#delivery/ports.ts";

/** `allowPrivate`: blocks of private addresses that may be reached. */
export function makeSendOutbound({
  allowPrivate,
  lookUp = makeLookUp(),
}: {
  allowPrivate: readonly string[];
  lookUp?: LookUp;
}): SendOutbound {
  const rules = makeAddressRules(allowPrivate);
  // No connection is used twice, and no TLS session is resumed: a pool finds them by the name of the host, without
  // looking up its addresses again.
  const options = { autoSelectFamilyAttemptTimeout: CONNECT_ATTEMPT_MS };
  const agents = { http: new HttpAgent(options), https: new HttpsAgent({ ...options, maxCachedSessions: 0 }) };

  return makeRequests((text) => {
    const parsed = parseReceiverUrl(text);
    if ("fault" in parsed) throw new OutboundError("blocked_address", parsed.fault);
    const { url, address, needsAllowed } = parsed;
    const requireReachable = (addresses: readonly string[]): void => {
      if (!addresses.every((one) => mayReach(rules, one, needsAllowed)))
        throw new OutboundError("blocked_address", hostFault(needsAllowed));
    };
    // Node calls no lookup for literals.
    if (address !== null) requireReachable([address]);
    return {
      url,
      agent: url.protocol === "https:" ? agents.https : agents.http,
      lookup: lookupOf(async (host) => {
        const addresses = await lookUp(host).catch(() => []);
        if (addresses.length === 0) throw new OutboundError("dns", "The name of the host could not be resolved.");
        requireReachable(addresses);
        return addresses;
      }),
    };
  });
}
