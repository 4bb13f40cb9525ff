// What is wrong with a URL when a person enters it: its text, and the addresses that its host has now. They are checked
// again for each connection (send-outbound.ts), because they can change.
import { withTimeout } from "#async/with-timeout.ts";
import { makeAddressRules } from "#delivery/couriers/address-rules.ts";
import { CONNECT_TIMEOUT_MS } from "#delivery/couriers/bounds.ts";
import { findDiscordUrlFault, parseDiscordUrl } from "#delivery/couriers/discord-url.ts";
import { findUrlFault, hostFault, mayReach, parseReceiverUrl } from "#delivery/couriers/find-url-fault.ts";
import { makeLookUp, type LookUp } from "#delivery/couriers/look-up.ts";

/** A sentence with the fix; null if the URL can be used. Never throws. */
export type CheckAddress = (kind: "webhook" | "discord", url: string) => Promise<string | null>;

const kinds = {
  webhook: { parse: parseReceiverUrl, findFault: findUrlFault },
  discord: { parse: parseDiscordUrl, findFault: findDiscordUrlFault },
};

export function makeCheckAddress({
  allowPrivate,
  lookUp = makeLookUp(),
}: {
  allowPrivate: readonly string[];
  lookUp?: LookUp;
}): CheckAddress {
  const rules = makeAddressRules(allowPrivate);
  return async (kind, text) => {
    const parsed = kinds[kind].parse(text);
    const fault = kinds[kind].findFault(text, allowPrivate);
    if (fault !== null || "fault" in parsed || parsed.address !== null) return fault;
    const { url, needsAllowed } = parsed;
    try {
      const addresses = await withTimeout(lookUp(url.hostname), CONNECT_TIMEOUT_MS, "No name server has responded");
      return addresses.every((address) => mayReach(rules, address, needsAllowed)) ? null : hostFault(needsAllowed);
    } catch {
      // Names are resolved again for each request, which then says so. This process may have no name server. What only
      // allowed addresses can have is not accepted for a host whose addresses are unknown.
      return needsAllowed ? hostFault(needsAllowed) : null;
    }
  };
}
