// Where a destination sends to, as people see it: paths and queries often hold secrets.
import { parseDiscordUrl } from "#outbound/discord-url.ts";

/** `url` is valid. Of a Discord webhook, its id; otherwise the origin and the first segment of the path. */
export function maskUrl(kind: "webhook" | "discord", url: string): string {
  const discord = kind === "discord" ? parseDiscordUrl(url) : null;
  if (discord !== null && "webhookId" in discord) return discord.webhookId;
  const { origin, pathname } = new URL(url);
  return `${origin}/${pathname.split("/")[1] ?? ""}`;
}
