// Announces events in a Discord channel through a webhook of the channel: up to ten in a message, and a summary instead
// of a flood (docs/how-to/announce-rank-ups-in-discord.md).
import { pause } from "#async/pause.ts";
import type { DestinationSecrets } from "#domain/destination.ts";
import { RESPONSE_BYTES_MAX } from "#outbound/bounds.ts";
import { embedOf, sample, summaryOf, type Embed } from "#outbound/discord-embeds.ts";
import { discordPauseMs, guardDiscord, isOfGateway } from "#outbound/discord-limits.ts";
import { parseDiscordUrl } from "#outbound/discord-url.ts";
import { jsonOf } from "#outbound/json-fields.ts";
import { sentOf } from "#outbound/sent-of.ts";
import type { Clock } from "#runtime/ports.ts";
import type {
  Courier,
  DiscordStop,
  OutboundResult,
  SendOutbound,
  Sent,
  Verdict,
} from "#usecases/destinations/ports.ts";

/** Embeds in a message, as Discord permits. */
const EMBEDS_MAX = 10;
/** More than these are more than people read. */
const SUMMARY_ABOVE = 100;
/** Longer than the window of a webhook's limit; a longer pause leaves the place to other destinations. */
const PAUSE_MS_MAX = 3_000;

type Deps = {
  send: SendOutbound;
  stop: DiscordStop;
  version: string;
  timeoutMs: number;
  clock: Pick<Clock, "monotonicMs">;
};

export function makeDiscordCourier(deps: Deps): Courier {
  const guard = guardDiscord(deps.stop);
  /** By webhook, when the next request may be sent; those of the past are removed. */
  const pauses = new Map<string, number>();

  /** Null: a request may be sent now. */
  async function restBefore(webhookId: string): Promise<number | null> {
    const stopMs = await guard.restMs();
    if (stopMs > 0) return stopMs;
    const pauseMs = (pauses.get(webhookId) ?? 0) - deps.clock.monotonicMs();
    if (pauseMs > PAUSE_MS_MAX) return pauseMs;
    if (pauseMs > 0) await pause(pauseMs);
    return null;
  }

  async function post(secrets: DestinationSecrets, embeds: Embed[]): Promise<Sent> {
    const parsed = secrets.kind === "discord" ? parseDiscordUrl(secrets.url) : { fault: "no Discord webhook" };
    if ("fault" in parsed) return unsent({ kind: "disable", reason: parsed.fault });
    const restMs = await restBefore(parsed.webhookId);
    if (restMs !== null) return unsent({ kind: "rest", forMs: restMs });
    const result = await deps.send({
      method: "POST",
      url: parsed.messagesUrl,
      headers: { "content-type": "application/json", "user-agent": `ClanXP/${deps.version}` },
      body: JSON.stringify({ embeds, allowed_mentions: { parse: [] } }),
      timeoutMs: deps.timeoutMs,
      bodyBytesMax: RESPONSE_BYTES_MAX,
    });
    notePause(parsed.webhookId, result);
    return sentOf(result, await verdictOf(result));
  }

  function notePause(webhookId: string, result: OutboundResult): void {
    const nowMs = deps.clock.monotonicMs();
    for (const [id, untilMs] of pauses) if (untilMs <= nowMs) pauses.delete(id);
    const pauseMs = result.kind === "response" ? discordPauseMs(result.headers) : 0;
    if (pauseMs > 0) pauses.set(webhookId, nowMs + pauseMs);
  }

  async function verdictOf(result: OutboundResult): Promise<Verdict> {
    if (result.kind === "error") return { kind: "failed" };
    const { status } = result;
    if (status >= 200 && status < 300) return { kind: "delivered" };
    const forMs = await guard.note({ ...result, json: jsonOf(result.body) });
    if (forMs !== null) return { kind: "rest", forMs };
    if (status === 400) return { kind: "refused" };
    // A gateway in front of Discord blocks an address with 403 and HTML: that says nothing about the webhook.
    const isHtml = /^text\/html/i.test(result.headers["content-type"] ?? "");
    const reason = status === 403 && isHtml && isOfGateway(result.headers) ? undefined : disabling[status];
    return reason === undefined ? { kind: "failed" } : { kind: "disable", reason };
  }

  return {
    eventsMax: EMBEDS_MAX,
    // Messages appear in the order in which they arrive, and Discord permits few at a time.
    atOnceMax: 1,
    send: async (_destination, secrets, events) => withoutMessage(await post(secrets, events.map(embedOf))),
    summary: {
      above: SUMMARY_ABOVE,
      send: async (_destination, secrets, events) => withoutMessage(await post(secrets, [summaryOf(events)])),
    },
    test: (_destination, secrets) => post(secrets, [sample]),
  };
}

const RENEW = "Create a new webhook in the channel's settings, set its URL here, and resume.";
const disabling: Readonly<Record<number, string>> = {
  401: `Discord does not accept the webhook's token (401). ${RENEW}`,
  403: `Discord does not permit the webhook to post (403). ${RENEW}`,
  404: `The webhook, or its thread, was deleted in Discord (404). ${RENEW}`,
};

function unsent(verdict: Verdict): Sent {
  return { ms: 0, status: null, error: null, response: null, verdict };
}

/** Discord responds with the message, which names members. */
function withoutMessage(sent: Sent): Sent {
  return sent.verdict.kind === "delivered" ? { ...sent, response: null } : sent;
}
