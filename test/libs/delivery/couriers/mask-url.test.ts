// What people see of a URL.
import { expect, test } from "vitest";
import { maskUrl } from "#delivery/couriers/mask-url.ts";

test.each([
  ["webhook", "https://example.com/clan-events/hunter2?key=hunter2", "https://example.com/clan-events"],
  ["webhook", "https://example.com:8443/?hunter2", "https://example.com:8443/"],
  ["webhook", "https://EXAMPLE.com", "https://example.com/"],
  ["webhook", "http://[::1]:80/a//hunter2", "http://[::1]/a"],
  ["webhook", "http://127.0.0.1:1234/hooks/hunter2", "http://127.0.0.1:1234/hooks"],
  ["webhook", "https://hook.eu1.make.com/hunter2abcdefghijklmnop", "https://hook.eu1.make.com/…"],
  ["webhook", "https://smee.io/HunterTwo", "https://smee.io/…"],
  ["webhook", "https://example.com/hunter", "https://example.com/…"],
  ["webhook", "https://example.com/Hunter2/github", "https://example.com/…"],
  ["webhook", "https://eo1hunter2pipedream.m.pipedream.net/", "https://….m.pipedream.net/"],
  [
    "webhook",
    "https://0a1b2c3d-4e5f-6789-abcd-ef0123456789.webhook.example:8443/x",
    "https://….webhook.example:8443/…",
  ],
  ["webhook", "https://my-clan-server-of-night-owls.example.com/", "https://my-clan-server-of-night-owls.example.com/"],
  ["discord", "https://discord.com/api/webhooks/123/hunter2?thread_id=5", "123"],
] as const)("%s %s is shown without its secrets", (kind, url, expected) => {
  expect(maskUrl(kind, url)).toBe(expected);
});
