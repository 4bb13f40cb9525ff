// Discord's API of webhooks as it is documented: 5 messages in 2 s for each webhook, limits in headers, and what
// gateways in front of it respond. It checks what a message must be.
import { randomBytes } from "node:crypto";
import { EARLY_MS_MAX } from "./fake-service.ts";
import { startReceiver, type Answer, type Received } from "./receiver.ts";

const MESSAGES_MAX = 5;

/** Headers of every response that has passed Discord's gateway, Cloudflare. */
export const ofGateway = { "cf-ray": "8f1c2d3e4f5a6b7c-FRA" };

export type Message = { webhookId: string; threadId: string | null; body: any; at: Date };

export type Discord = {
  /** The URL of a new webhook. */
  newWebhook(): { id: string; url: string };
  /** As its owner deletes it. */
  deleteWebhook(id: string): void;
  /** Posted so far, in order. */
  messages: Message[];
  /** How many requests exceeded a limit. */
  limited(): number;
  /** The next requests are answered so instead, each once. */
  answerNext(...answers: Answer[]): void;
  /** Resolves once so many requests have arrived. */
  received(count: number): Promise<Received[]>;
  close(): Promise<void>;
};

/** `oldVersion`: times in response bodies are milliseconds, as in the oldest version of the API. */
export async function startDiscord({ oldVersion = false, windowMs = 2_000 } = {}): Promise<Discord> {
  const receiver = await startReceiver();
  const webhooks = new Map<string, { token: string; times: number[] }>();
  const messages: Message[] = [];
  const next: Answer[] = [];
  let limited = 0;

  receiver.answer(({ method, path, headers, body, at }) => {
    const other = next.shift();
    if (other !== undefined) return other;
    const url = new URL(path, receiver.url);
    const [, id = "", token] = /^\/api\/webhooks\/(\d+)\/([\w-]+)$/.exec(url.pathname) ?? [];
    const webhook = webhooks.get(id);
    if (method !== "POST" || webhook === undefined) return json(404, { message: "Unknown Webhook", code: 10_015 });
    if (webhook.token !== token) return json(401, { message: "Invalid Webhook Token", code: 50_027 });

    const now = performance.now();
    webhook.times = webhook.times.filter((time) => time > now - windowMs + EARLY_MS_MAX);
    const resetS = ((webhook.times[0] ?? now) + windowMs - now) / 1_000;
    const limits = (remaining: number) => ({
      "x-ratelimit-limit": `${MESSAGES_MAX}`,
      "x-ratelimit-remaining": `${remaining}`,
      "x-ratelimit-reset-after": resetS.toFixed(3),
      "x-ratelimit-bucket": "webhook",
    });
    if (webhook.times.length >= MESSAGES_MAX) {
      limited++;
      const headersOf429 = { "retry-after": `${Math.ceil(resetS)}`, "x-ratelimit-scope": "user", ...limits(0) };
      const retryAfter = oldVersion ? Math.ceil(resetS * 1_000) : Number(resetS.toFixed(3));
      const limit = { message: "You are being rate limited.", retry_after: retryAfter, global: false };
      return json(429, limit, headersOf429);
    }
    webhook.times.push(now);
    const message = JSON.parse(body);
    const fault = headers["content-type"] === "application/json" ? faultOf(message) : "not JSON";
    const remaining = MESSAGES_MAX - webhook.times.length;
    if (fault !== null) return json(400, { message: fault, code: 50_035 }, limits(remaining));
    messages.push({ webhookId: id, threadId: url.searchParams.get("thread_id"), body: message, at });
    if (url.searchParams.get("wait") !== "true") return { status: 204, headers: limits(remaining) };
    return json(200, { id: `${messages.length}`, ...message }, limits(remaining));
  });

  return {
    newWebhook() {
      const [id, token] = [`${1_000_000 + webhooks.size}`, randomBytes(51).toString("base64url")];
      webhooks.set(id, { token, times: [] });
      return { id, url: `${receiver.url}/api/webhooks/${id}/${token}` };
    },
    deleteWebhook: (id) => void webhooks.delete(id),
    messages,
    limited: () => limited,
    answerNext: (...answers) => void next.push(...answers),
    received: receiver.received,
    close: receiver.close,
  };
}

function json(status: number, body: object, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { "content-type": "application/json", ...ofGateway, ...headers },
    body: JSON.stringify(body),
  };
}

/** https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
function faultOf({ embeds, content, allowed_mentions: mentions }: any): string | null {
  if (JSON.stringify(mentions) !== '{"parse":[]}') return "it may mention people";
  if (content !== undefined || !Array.isArray(embeds)) return "it has no embeds alone";
  if (embeds.length < 1 || embeds.length > 10) return "it has not 1 to 10 embeds";
  const isLong = (text: unknown, max: number) => typeof text !== "string" || text.length < 1 || text.length > max;
  if (embeds.some(({ title, description }) => isLong(title, 256) || isLong(description, 4_096)))
    return "an embed is long";
  const chars = embeds.reduce((sum, { title, description }) => sum + title.length + description.length, 0);
  return chars > 6_000 ? "the embeds are long" : null;
}
