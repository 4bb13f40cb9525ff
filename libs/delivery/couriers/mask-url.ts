// Where a destination sends to, as people see it: paths, queries, and also names of hosts often hold secrets.
import { parseDiscordUrl } from "#delivery/couriers/discord-url.ts";

/**
 * `url` is valid. Of a Discord webhook, its id; otherwise the origin, and the first segment of the path if it is a word
 * that says where, not who may.
 */
export function maskUrl(kind: "webhook" | "discord", url: string): string {
  const discord = kind === "discord" ? parseDiscordUrl(url) : null;
  if (discord !== null && "webhookId" in discord) return discord.webhookId;
  const { protocol, hostname, port, pathname } = new URL(url);
  const origin = `${protocol}//${maskHost(hostname)}${port === "" ? "" : `:${port}`}`;
  const [, word = ""] = /^\/([a-z][a-z-]{0,15})\/./.exec(pathname) ?? [];
  return `${origin}/${pathname === "/" ? "" : word || "…"}`;
}

/** A label that looks random, as services make them for each customer, and what is before it. */
function maskHost(hostname: string): string {
  const labels = hostname.split(".");
  const secret = labels.findLastIndex((label, index) => index < labels.length - 2 && isRandom(label));
  return secret === -1 ? hostname : ["…", ...labels.slice(secret + 1)].join(".");
}

function isRandom(label: string): boolean {
  if (label.startsWith("xn--")) return false;
  const letters = label.replaceAll("-", "");
  return letters.length >= 16 && (/\d/.test(letters) || letters === label);
}
