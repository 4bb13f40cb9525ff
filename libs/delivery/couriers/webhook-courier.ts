// Sends events to people's own servers, as Standard Webhooks 1.0 describes it: one event in a request, with a signature
// by each valid secret of the destination (docs/how-to/receive-webhooks.md).
import { createHmac, randomBytes } from "node:crypto";
import { eventResponse } from "#contract/event-response.ts";
import type { Destination, DestinationSecrets } from "#domain/destination.ts";
import { RESPONSE_BYTES_MAX, RESPONSE_MS_MAX } from "#delivery/couriers/bounds.ts";
import { retryAfterMs } from "#delivery/couriers/retry-after.ts";
import { sentOf } from "#delivery/couriers/sent-of.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Courier, OutboundResult, SendOutbound, Sent, Verdict } from "#delivery/ports.ts";

const AT_ONCE_MAX = 8;
const SECRET_PREFIX = "whsec_";
/** The present secret and two that a rotation has replaced. */
const SIGNATURES_MAX = 3;

const NOT_SIGNED =
  "Usually the receiver verifies signatures with another secret: set the present signing secret there, or rotate it.";

type WebhookSecrets = Extract<DestinationSecrets, { kind: "webhook" }>;
type Message = { id: string; body: string };

/** `version`: of Clan XP. */
export function makeWebhookCourier(deps: {
  send: SendOutbound;
  version: string;
  timeoutMs: number;
  clock: Clock;
}): Courier {
  async function post({ id, body }: Message, secrets: DestinationSecrets): Promise<Sent> {
    if (secrets.kind !== "webhook")
      throw new Error(`the secrets of a webhook are needed, not those of ${secrets.kind}`);
    const now = deps.clock.now();
    const timestamp = Math.floor(now.getTime() / 1_000).toString();
    const result = await deps.send({
      method: "POST",
      url: secrets.url,
      headers: {
        "content-type": "application/json",
        "user-agent": `ClanXP/${deps.version}`,
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": signatures(`${id}.${timestamp}.${body}`, secrets, now).join(" "),
      },
      body,
      timeoutMs: deps.timeoutMs,
      bodyBytesMax: RESPONSE_BYTES_MAX,
      bodyMsMax: RESPONSE_MS_MAX,
    });
    const sent = sentOf(result, verdictOf(result, deps.clock.now()));
    return sent.status === 401 ? { ...sent, detail: NOT_SIGNED } : sent;
  }

  return {
    eventsMax: 1,
    atOnceMax: AT_ONCE_MAX,
    async send(_destination, secrets, [event]) {
      if (event === undefined) throw new Error("no event to send");
      return post({ id: event.eventId, body: JSON.stringify(eventResponse(event)) }, secrets);
    },
    test: (destination, secrets) => post(pingOf(destination, deps.clock.now()), secrets),
  };
}

function pingOf({ clanId, destinationId }: Destination, now: Date): Message {
  const id = `evt_${randomBytes(12).toString("base64url")}`;
  const event = { id, timestamp: now.toISOString(), clanId, type: "test.ping", data: { destinationId } };
  return { id, body: JSON.stringify(event) };
}

/** One for each secret that is valid now, the newest first. */
function signatures(text: string, { signing }: WebhookSecrets, now: Date): string[] {
  return signing
    .filter(({ endsAt }) => endsAt === null || endsAt > now)
    .slice(0, SIGNATURES_MAX)
    .map(({ secret }) => {
      const key = Buffer.from(secret.replace(SECRET_PREFIX, ""), "base64");
      return `v1,${createHmac("sha256", key).update(text, "utf8").digest("base64")}`;
    });
}

function verdictOf(result: OutboundResult, now: Date): Verdict {
  if (result.kind === "error") return { kind: "failed" };
  const { status, headers } = result;
  if (status >= 200 && status < 300) return { kind: "delivered" };
  if (status === 410)
    return {
      kind: "disable",
      reason: "The receiver has responded 410 Gone: it wants no events any more. Check its URL, then resume.",
    };
  const restMs = status === 429 || status === 503 ? retryAfterMs(headers, now) : null;
  return restMs === null ? { kind: "failed" } : { kind: "rest", forMs: restMs };
}
