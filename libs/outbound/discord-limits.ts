// What Discord's responses say about its limits (https://docs.discord.com/developers/topics/rate-limits). Numbers are
// never assumed: Discord changes them.
import { REST_MS_MAX } from "#outbound/bounds.ts";
import type { OutboundResult } from "#usecases/destinations/ports.ts";

type Response = Extract<OutboundResult, { kind: "response" }>;

/** After a response with status 429. `isForAll`: of every request from this address, not only to this resource. */
export function discordRest(response: Response): { forMs: number; isForAll: boolean } {
  const { headers, body } = response;
  const limited = parsed(body);
  const resetMs = secondsIn(headers["x-ratelimit-reset-after"]);
  const asked = numberIn(limited?.retry_after);
  // The oldest version of the API, which URLs without a version reach, sends milliseconds.
  const isMs = asked !== null && resetMs !== null && asked >= Math.max(resetMs / 2, MS_MIN);
  const askedMs = asked === null ? null : asked * (isMs ? 1 : 1_000);
  const forMs = askedMs ?? secondsIn(headers["retry-after"]) ?? resetMs ?? DEFAULT_REST_MS;
  // What bans an address is in front of the API, and sends no JSON.
  const isForAll = limited === null || limited.global === true || headers["x-ratelimit-global"] === "true";
  return { forMs: Math.min(Math.max(forMs, REST_MS_MIN), REST_MS_MAX), isForAll };
}

const MS_MIN = 50;
const REST_MS_MIN = 250;
const DEFAULT_REST_MS = 5_000;

/** How long no further request may be sent for the same resource; 0: it may. */
export function discordPauseMs({ headers }: Response): number {
  if (headers["x-ratelimit-remaining"] !== "0") return 0;
  return Math.min(secondsIn(headers["x-ratelimit-reset-after"]) ?? 0, REST_MS_MAX);
}

function secondsIn(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,9}(?:\.\d{1,9})?$/.test(header) ? Number(header) * 1_000 : null;
}

function numberIn(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
}

/** Null: gateways in front respond with HTML. */
function parsed(body: string): { retry_after?: unknown; global?: unknown } | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
