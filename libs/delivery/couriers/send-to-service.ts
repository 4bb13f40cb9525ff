// Requests to a service whose URL an operator has set, such as Roblox' Open Cloud: it may be anywhere, and nothing else
// can be reached. Bounds are those of send-outbound.ts.
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { CONNECT_ATTEMPT_MS } from "#delivery/couriers/bounds.ts";
import { lookupOf, makeLookUp, type LookUp } from "#delivery/couriers/look-up.ts";
import { OutboundError } from "#delivery/couriers/outbound-error.ts";
import { makeRequests } from "#delivery/couriers/requests.ts";
import type { SendOutbound } from "#delivery/ports.ts";

/** More requests than this at a time wait for each other; services limit them further. */
const CONNECTIONS_MAX = 16;

/** Unused for so long, a connection is closed here: servers close it after 5 s, perhaps while a request is sent. */
const IDLE_MS = 4_000;

/** `serviceUrl`: ROBLOX_API_URL or DISCORD_API_URL. URLs of requests begin with it. */
export function makeSendToService({
  serviceUrl,
  lookUp = makeLookUp(),
}: {
  serviceUrl: string;
  lookUp?: LookUp;
}): SendOutbound {
  const service = new URL(serviceUrl);
  // Connections are used again: they all lead to the one host that the operator chose.
  const agent = new (service.protocol === "https:" ? HttpsAgent : HttpAgent)({
    keepAlive: true,
    timeout: IDLE_MS,
    autoSelectFamilyAttemptTimeout: CONNECT_ATTEMPT_MS,
    maxSockets: CONNECTIONS_MAX,
  });
  const lookup = lookupOf(lookUp);
  return makeRequests((text) => {
    const url = URL.parse(text);
    if (url?.origin !== service.origin)
      throw new OutboundError(
        "blocked_address",
        "The URL is not one of the service for which the operator has set it.",
      );
    return { url, agent, lookup };
  });
}
