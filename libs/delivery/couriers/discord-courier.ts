// Announces events in a Discord channel through a webhook of the channel: up to ten in a message, and a summary instead
// of a flood (docs/how-to/announce-rank-ups-in-discord.md).
import { pause } from "#async/pause.ts";
import { AppError } from "#kernel/app-error.ts";
import type { Destination, DestinationSecrets } from "#domain/destination.ts";
import type { ClanEvent } from "#domain/event.ts";
import { RESPONSE_BYTES_MAX, RESPONSE_MS_MAX } from "#delivery/couriers/bounds.ts";
import { embedOf, sample, summaryOf, type Embed } from "#delivery/couriers/discord-embeds.ts";
import { discordPauseMs, guardDiscord, isOfGateway, isRejected } from "#delivery/couriers/discord-limits.ts";
import { parseDiscordUrl } from "#delivery/couriers/discord-url.ts";
import { jsonOf, numberOf } from "#delivery/couriers/json-fields.ts";
import { sentOf } from "#delivery/couriers/sent-of.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Courier, DiscordStop, OutboundResult, SendOutbound, Sent, Verdict } from "#delivery/ports.ts";

/** Embeds in a message, as Discord permits. */
const EMBEDS_MAX = 10;
/** More than these are more than people read. */
const SUMMARY_ABOVE = 100;
/** Longer than the window of a webhook's limit; a longer pause leaves the place to other destinations. */
const PAUSE_MS_MAX = 3_000;

/**
 * After so many rejected tests of a destination, the next ones are made this often: Discord counts them, and nothing
 * else limits how often a person asks. Forgotten after a while.
 */
const TESTS_REJECTED_MAX = 3;
const TEST_EVERY_MS = 60_000;
const TESTS_KEPT_MS = 600_000;

/** MongoDB is asked again soon. */
const UNAVAILABLE = unsent({ kind: "rest", forMs: 1_000 });

type Deps = {
  send: SendOutbound;
  /** The address of the clan's public page; null: it has none. Throws AppError `unavailable`. */
  readPageUrl: (clanId: string) => Promise<string | null>;
  stop: DiscordStop;
  version: string;
  timeoutMs: number;
  clock: Pick<Clock, "monotonicMs">;
};

export function makeDiscordCourier(deps: Deps): Courier {
  const guard = guardDiscord(deps.stop);
  /** By webhook, when the next request may be sent; those of the past are removed. */
  const pauses = new Map<string, number>();
  const tests = limitTests(deps.clock);

  /** Null: a request may be sent now. */
  async function restBefore(clanId: string, webhookId: string): Promise<number | null> {
    const stopMs = await guard.restMs(clanId);
    if (stopMs > 0) return stopMs;
    const pauseMs = (pauses.get(webhookId) ?? 0) - deps.clock.monotonicMs();
    if (pauseMs > PAUSE_MS_MAX) return pauseMs;
    if (pauseMs > 0) await pause(pauseMs);
    return null;
  }

  async function post({ clanId }: Destination, secrets: DestinationSecrets, embeds: Embed[]): Promise<Sent> {
    const parsed = secrets.kind === "discord" ? parseDiscordUrl(secrets.url) : { fault: "no Discord webhook" };
    if ("fault" in parsed) return unsent({ kind: "disable", reason: parsed.fault });
    const restMs = await restBefore(clanId, parsed.webhookId);
    if (restMs !== null) return unsent({ kind: "rest", forMs: restMs });
    const result = await deps.send({
      method: "POST",
      url: parsed.messagesUrl,
      headers: { "content-type": "application/json", "user-agent": `ClanXP/${deps.version}` },
      body: JSON.stringify({ embeds, allowed_mentions: { parse: [] } }),
      timeoutMs: deps.timeoutMs,
      bodyBytesMax: RESPONSE_BYTES_MAX,
      bodyMsMax: RESPONSE_MS_MAX,
    });
    notePause(parsed.webhookId, result);
    return sentOf(result, await verdictOf(clanId, result));
  }

  function notePause(webhookId: string, result: OutboundResult): void {
    const nowMs = deps.clock.monotonicMs();
    for (const [id, untilMs] of pauses) if (untilMs <= nowMs) pauses.delete(id);
    const pauseMs = result.kind === "response" ? discordPauseMs(result.headers) : 0;
    if (pauseMs > 0) pauses.set(webhookId, nowMs + pauseMs);
  }

  async function verdictOf(clanId: string, result: OutboundResult): Promise<Verdict> {
    if (result.kind === "error") return { kind: "failed" };
    const { status } = result;
    if (status >= 200 && status < 300) return { kind: "delivered" };
    const forMs = await guard.note(clanId, { ...result, json: jsonOf(result.body) });
    if (forMs !== null) return { kind: "rest", forMs };
    if (status === 400) return { kind: "refused" };
    const reason = isOfDiscord(result) ? disabling[status] : undefined;
    return reason === undefined ? { kind: "failed" } : { kind: "disable", reason };
  }

  return {
    eventsMax: EMBEDS_MAX,
    // Messages appear in the order in which they arrive, and Discord permits few at a time.
    atOnceMax: 1,
    async send(destination, secrets, events) {
      const embeds = await embedsOf(deps, destination, events);
      return embeds ? withoutMessage(await post(destination, secrets, embeds)) : UNAVAILABLE;
    },
    summary: {
      above: SUMMARY_ABOVE,
      send: async (to, secrets, events) => withoutMessage(await post(to, secrets, [summaryOf(events)])),
    },
    test: (destination, secrets) =>
      tests.limit(`${destination.destinationId} ${"url" in secrets ? secrets.url : ""}`, () =>
        post(destination, secrets, [sample]),
      ),
  };
}

/** Null: whether the clan has a public page is not known now. Only results of periods link to it. */
async function embedsOf(
  { readPageUrl }: Pick<Deps, "readPageUrl">,
  { clanId }: Destination,
  events: readonly ClanEvent[],
): Promise<Embed[] | null> {
  try {
    const isLinked = events.some(({ type }) => type === "period.final");
    const pageUrl = isLinked ? await readPageUrl(clanId) : null;
    return events.map((event) => embedOf(event, pageUrl));
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** By destination and URL. */
function limitTests(clock: Deps["clock"]) {
  const tests = new Map<string, { rejected: number; atMs: number }>();
  return {
    async limit(key: string, test: () => Promise<Sent>): Promise<Sent> {
      const nowMs = clock.monotonicMs();
      for (const [other, { atMs }] of tests) if (atMs <= nowMs - TESTS_KEPT_MS) tests.delete(other);
      const before = tests.get(key) ?? { rejected: 0, atMs: 0 };
      const restMs = before.rejected < TESTS_REJECTED_MAX ? 0 : before.atMs + TEST_EVERY_MS - nowMs;
      if (restMs > 0) return unsent({ kind: "rest", forMs: restMs });
      // Also of tests at the same time, each counts.
      tests.set(key, { rejected: before.rejected + 1, atMs: nowMs });
      const sent = await test();
      if (sent.status === null || !isRejected(sent.status)) tests.delete(key);
      return sent;
    },
  };
}

/**
 * Proxies and gateways between here and Discord also respond with these statuses: they say nothing about the webhook.
 * Discord's own responses have a code, or nothing but the status.
 */
function isOfDiscord({ body, headers }: OutboundResult & { kind: "response" }): boolean {
  if (body === "" && !isOfGateway(headers)) return true;
  const json = jsonOf(body);
  if (typeof json !== "object" || json === null) return false;
  const code = numberOf(json, "code");
  return code === null || FINAL_CODES.has(code);
}

/** Unknown channel and webhook, missing access and permissions, invalid webhook token. */
const FINAL_CODES = new Set([10_003, 10_015, 50_001, 50_013, 50_027]);

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
