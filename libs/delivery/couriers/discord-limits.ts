// What Discord's responses say about its limits (https://docs.discord.com/developers/topics/rate-limits). Numbers are
// never assumed: Discord changes them.
import { REST_MS_MAX } from "#delivery/couriers/bounds.ts";
import { fieldOf, numberOf, textOf } from "#delivery/couriers/json-fields.ts";
import type { DiscordStop } from "#delivery/ports.ts";

type Headers = Readonly<Record<string, string>>;

/** While MongoDB is unavailable, nothing is sent. */
const STOP_UNKNOWN_MS = 1_000;
/** Statuses that Discord counts before it bans an address. */
const REJECTED = new Set([401, 403, 429]);

/**
 * The stop that holds for the requests of all clans, and before it that of the clan whose requests are rejected. What
 * MongoDB does not count is lost: its bound is a tenth of what Discord permits.
 */
export function guardDiscord(stop: DiscordStop) {
  return {
    /** 0: a request may be sent now. */
    restMs: (clanId: string) => stop.restMs(clanId).catch(() => STOP_UNKNOWN_MS),

    /** Counts the response. Returns how long the resource rests after status 429; null for every other status. */
    async note(
      clanId: string,
      { status, headers, json }: { status: number; headers: Headers; json: unknown },
    ): Promise<number | null> {
      if (isRejected(status)) await stop.noteRefusal(clanId).catch(() => {});
      if (status !== 429) return null;
      const { forMs, isForAll } = discordRest(headers, json);
      if (isForAll) await stop.rest(forMs).catch(() => {});
      return forMs;
    },
  };
}

export function isRejected(status: number): boolean {
  return REJECTED.has(status);
}

/** `isForAll`: of every request from this address, not only to this resource. */
function discordRest(headers: Headers, json: unknown): { forMs: number; isForAll: boolean } {
  const resetMs = secondsIn(headers["x-ratelimit-reset-after"]);
  const asked = positive(numberOf(json, "retry_after"));
  // The oldest version of the API, which URLs without a version reach, sends milliseconds.
  const isMs = asked !== null && resetMs !== null && asked >= Math.max(resetMs / 2, MS_MIN);
  const askedMs = asked === null ? null : asked * (isMs ? 1 : 1_000);
  const forMs = askedMs ?? resetMs ?? secondsIn(headers["retry-after"]) ?? DEFAULT_REST_MS;
  const isOfApi = json !== null;
  // What bans an address is in front of the API, and sends no JSON.
  const isForAll =
    (json === null && isOfGateway(headers)) ||
    fieldOf(json, "global") === true ||
    headers["x-ratelimit-global"] === "true" ||
    BLOCKED.test(textOf(json, "message") ?? "");
  // The global limit is of each second: a longer rest is of a ban, or in another unit.
  const longest = isForAll && isOfApi ? GLOBAL_REST_MS_MAX : REST_MS_MAX;
  return { forMs: Math.min(Math.max(forMs, REST_MS_MIN), longest), isForAll };
}

/** Whether the response has passed Discord's gateway, Cloudflare: those of other proxies say nothing about Discord. */
export function isOfGateway(headers: Headers): boolean {
  return headers["cf-ray"] !== undefined;
}

/** Discord's words for an address that it stops for a while. */
const BLOCKED = /blocked from accessing/i;
const GLOBAL_REST_MS_MAX = 600_000;
const MS_MIN = 50;
const REST_MS_MIN = 250;
const DEFAULT_REST_MS = 5_000;

/** How long no further request may be sent for the same resource; 0: it may. */
export function discordPauseMs(headers: Headers): number {
  if (headers["x-ratelimit-remaining"] !== "0") return 0;
  return Math.min(secondsIn(headers["x-ratelimit-reset-after"]) ?? 0, REST_MS_MAX);
}

function secondsIn(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,9}(?:\.\d{1,9})?$/.test(header) ? Number(header) * 1_000 : null;
}

function positive(value: number | null): number | null {
  return value !== null && Number.isFinite(value) && value >= 0 ? value : null;
}
