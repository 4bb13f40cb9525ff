// Examples of a first award with a new key, for a shell, a Roblox server and a Node server.
import { SnippetTabs } from "../../parts/snippet-tabs.tsx";

/** Shown if the address of the API is not configured. */
const UNKNOWN_API = "https://your-clan-xp.example";

type Facts = { clanId: string; secret: string; apiUrl: string };

const snippets: Record<string, (facts: Facts) => string> = {
  // The comment has no character that a shell without comments would act on.
  curl: ({ clanId, secret, apiUrl }) => `export CLANXP_KEY=${secret}
# Repeated with the same Idempotency-Key, it counts once.
curl ${apiUrl}/v0/clans/${clanId}/members/player-1/xp \\
  -H "Authorization: Bearer $CLANXP_KEY" \\
  -H 'Idempotency-Key: first-award' \\
  -H 'Content-Type: application/json' \\
  -d '{"amount": 10, "reason": "first award"}'`,
  Luau: ({ clanId, apiUrl }) => `-- Store the key as the secret "clanxp_key" of the experience.
local ClanXP = require(game.ServerScriptService.ClanXP)
${isLocal(apiUrl) ? "-- Only Studio on this computer reaches this address. A published game needs a public one.\n" : ""}local clan = ClanXP.new({ BaseUrl = "${apiUrl}", ClanId = "${clanId}" })
-- Repeated with the same cause, it counts once for the player.
clan:Award(player, 10, { Reason = "first award", Cause = "first-award" })`,
  Node: ({ clanId, apiUrl }) => `const { ClanXp } = await import("@clanxp/client");
// CLANXP_KEY holds the key.
const clan = new ClanXp({ baseUrl: "${apiUrl}", clanId: "${clanId}", apiKey: process.env.CLANXP_KEY });
// Repeated with the same cause, it counts once for the player.
await clan.award("player-1", 10, { reason: "first award", cause: "first-award" });`,
};

function isLocal(apiUrl: string): boolean {
  return /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::|$)/.test(apiUrl);
}

export function Snippets({ apiUrl, ...facts }: { clanId: string; secret: string; apiUrl: string | null }) {
  const known = { ...facts, apiUrl: apiUrl ?? UNKNOWN_API };
  const texts = Object.entries(snippets).map(([name, textOf]) => [name, textOf(known)] as const);
  return <SnippetTabs texts={Object.fromEntries(texts)} />;
}
