// Examples of a first award with a new key, for a shell, a Roblox server and a Node server.
import { Tabs } from "@base-ui/react/tabs";
import { useId } from "react";
import { CopyButton } from "../../parts/copy-button.tsx";

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
local clan = ClanXP.new({ BaseUrl = "${apiUrl}", ClanId = "${clanId}" })
-- Repeated with the same cause, it counts once for the player.
clan:Award(player, 10, { Reason = "first award", Cause = "first-award" })`,
  Node: ({ clanId, apiUrl }) => `const { ClanXp } = await import("@clanxp/client");
// CLANXP_KEY holds the key.
const clan = new ClanXp({ baseUrl: "${apiUrl}", clanId: "${clanId}", apiKey: process.env.CLANXP_KEY });
// Repeated with the same cause, it counts once for the player.
await clan.award("player-1", 10, { reason: "first award", cause: "first-award" });`,
};

export function Snippets({ clanId, secret, apiUrl }: { clanId: string; secret: string; apiUrl: string | null }) {
  const names = Object.keys(snippets);
  const id = useId();
  return (
    <Tabs.Root defaultValue="curl" className="min-w-0">
      <Tabs.List aria-label="Example for" className="mb-2 flex gap-1">
        {names.map((name) => (
          <Tabs.Tab
            key={name}
            value={name}
            className="rounded-lg px-3 py-1 font-medium text-muted data-active:bg-sunken data-active:text-ink"
          >
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {names.map((name) => {
        const text = snippets[name]?.({ clanId, secret, apiUrl: apiUrl ?? UNKNOWN_API }) ?? "";
        return (
          <Tabs.Panel key={name} value={name} className="rounded-lg bg-sunken p-3">
            {/* With the keyboard, the arrow keys scroll it. */}
            <pre
              id={`${id}-${name}`}
              tabIndex={0}
              role="region"
              aria-label={`${name} example`}
              className="overflow-x-auto font-mono text-sm"
            >
              {text}
            </pre>
            <div className="mt-2 flex flex-wrap justify-end">
              <CopyButton text={text} label={`Copy the ${name} example`} shownIn={`${id}-${name}`}>
                Copy
              </CopyButton>
            </div>
          </Tabs.Panel>
        );
      })}
    </Tabs.Root>
  );
}
