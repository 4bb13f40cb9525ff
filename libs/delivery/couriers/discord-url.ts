// The URL of a Discord webhook: who knows it can post. Only its id is shown.
import { findHostFault, parseReceiverUrl, type ReceiverUrl } from "#delivery/couriers/find-url-fault.ts";

const HOST = /^(?:(?:ptb|canary|www)\.)?discord(?:app)?\.com$/;
/** Also of a version of the API, and as other programs use it: all of them name the same webhook. */
const PATH = /^\/api\/(?:v\d{1,2}\/)?webhooks\/(\d{1,20})\/([\w-]{1,256})(?:\/(?:slack|github)?)?$/;
/** Its units are seconds, which those of the oldest version are not. */
const VERSION = "v10";

/** `messagesUrl`: where messages are posted, so that the response says whether they were. */
export type DiscordUrl = ReceiverUrl & { webhookId: string; messagesUrl: string };

export function parseDiscordUrl(text: string): DiscordUrl | { fault: string } {
  const parsed = parseReceiverUrl(text);
  if ("fault" in parsed) return parsed;
  const { url, address } = parsed;
  const [, webhookId, token = ""] = PATH.exec(url.pathname) ?? [];
  const threadId = url.searchParams.get("thread_id");
  const isPlain = [...url.searchParams.keys()].every((name) => name === "thread_id" || name === "wait");
  if (webhookId === undefined || !isPlain || (threadId !== null && !/^\d{1,20}$/.test(threadId)))
    return { fault: NO_DISCORD_URL };
  const isDiscord = HOST.test(url.hostname);
  if (isDiscord && url.origin !== `https://${url.hostname}`) return { fault: NO_DISCORD_URL };
  const messages = new URL(url);
  messages.hostname = url.hostname.replace(/^www\./, "");
  messages.pathname = `/api/${isDiscord ? `${VERSION}/` : ""}webhooks/${webhookId}/${token}`;
  messages.searchParams.set("wait", "true");
  return { url, address, needsAllowed: !isDiscord, webhookId, messagesUrl: messages.href };
}

const NO_DISCORD_URL =
  "This is not the URL of a Discord webhook, such as https://discord.com/api/webhooks/123/abc. In Discord, open the channel's settings, Integrations, Webhooks, and copy it.";

/** A sentence with the fix; null if there is none. `allowPrivate`: blocks that WEBHOOK_ALLOW_PRIVATE names. */
export function findDiscordUrlFault(text: string, allowPrivate: readonly string[]): string | null {
  const parsed = parseDiscordUrl(text);
  if ("fault" in parsed) return parsed.fault;
  return findHostFault(parsed, allowPrivate) === null ? null : NO_DISCORD_URL;
}
