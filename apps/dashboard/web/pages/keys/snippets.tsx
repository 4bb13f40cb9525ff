// Examples of a first award with a new key, for a shell, a Roblox server and a Node server.
import { Tabs } from "@base-ui/react/tabs";
import { useId } from "react";
import { CopyButton } from "../../parts/copy-button.tsx";

/** Shown if the address of the API is not configured. */
const UNKNOWN_API = "https://your-clan-xp.example";

type Facts = { clanId: string; secret: string; apiUrl: string };

const snippets: Record<string, (facts: Facts) => string> = {
  curl: ({ clanId, secret, apiUrl }) => `curl ${apiUrl}/v0/clans/${clanId}/members/player-1/xp \\
  -H 'Authorization: Bearer ${secret}' \\
  -H 'Content-Type: application/json' \\
  -d '{"amount": 10, "reason": "first award"}'`,
  Luau: ({ clanId, apiUrl }) => `-- Store the key as the secret "clanxp_key" of the experience.
local ClanXP = require(game.ServerScriptService.ClanXP)
local clan = ClanXP.new({ BaseUrl = "${apiUrl}", ClanId = "${clanId}" })
clan:Award(player, 10, { Reason = "first award" })`,
  Node: ({ clanId, apiUrl }) => `const { ClanXp } = await import("@clanxp/client");
// CLANXP_KEY holds the key.
const clan = new ClanXp({ baseUrl: "${apiUrl}", clanId: "${clanId}", apiKey: process.env.CLANXP_KEY });
await clan.award("player-1", 10, { reason: "first award" });`,
};

export function Snippets({ clanId, secret, apiUrl }: { clanId: string; secret: string; apiUrl: string | null }) {
  const names = Object.keys(snippets);
  const id = useId();
  return (
    <Tabs.Root defaultValue="curl">
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
            <pre id={`${id}-${name}`} className="font-mono text-sm break-all whitespace-pre-wrap">
              {text}
            </pre>
            <div className="mt-2 flex flex-wrap justify-end">
              <CopyButton text={text} label={`To clipboard: the ${name} example`} shownIn={`${id}-${name}`}>
                To clipboard
              </CopyButton>
            </div>
          </Tabs.Panel>
        );
      })}
    </Tabs.Root>
  );
}
