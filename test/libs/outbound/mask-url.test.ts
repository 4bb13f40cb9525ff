// What people see of a URL.
import { expect, test } from "vitest";
import { maskUrl } from "#outbound/mask-url.ts";

test.each([
  ["webhook", "https://example.com/clan-events/hunter2?key=hunter2", "https://example.com/clan-events"],
  ["webhook", "https://example.com:8443/?hunter2", "https://example.com:8443/"],
  ["webhook", "https://EXAMPLE.com", "https://example.com/"],
  ["webhook", "http://[::1]:80/a//hunter2", "http://[::1]/a"],
  ["discord", "https://discord.com/api/webhooks/123/hunter2?thread_id=5", "123"],
] as const)("%s %s is shown without its secrets", (kind, url, expected) => {
  expect(maskUrl(kind, url)).toBe(expected);
});
