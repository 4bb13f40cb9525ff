// What is wrong with a URL when a person enters it, by the addresses that its host has.
import { describe, expect, test } from "vitest";
import { makeCheckAddress } from "#delivery/couriers/check-address.ts";
import { addresses } from "./hostile-urls.ts";

const lookUp = async (host: string): Promise<string[]> => {
  const found = addresses[host];
  if (!found) throw Object.assign(new Error("not found"), { code: "ENOTFOUND" });
  return found;
};
const allowPrivate = ["127.0.0.0/8"];
const check = makeCheckAddress({ allowPrivate: [], lookUp });

describe("a URL", () => {
  test("with a name is checked by every address of the name when it is entered", async () => {
    expect(await check("webhook", "https://public.example/")).toBeNull();
    expect(await check("webhook", "https://both.example/")).toContain("not a public address");
    const checkHere = makeCheckAddress({ allowPrivate, lookUp });
    expect(await checkHere("webhook", "http://sub.localhost:80/")).toBeNull();
    for (const name of ["both.example", "families.example", "public.example"])
      expect(await checkHere("webhook", `http://${name}/`)).toContain("WEBHOOK_ALLOW_PRIVATE");
  });

  test("with a name that is not found is accepted, but not what only allowed addresses can have", async () => {
    const checkHere = makeCheckAddress({ allowPrivate, lookUp });
    for (const url of ["https://unknown.example/", "https://unknown.example:1024/"])
      expect({ url, fault: await checkHere("webhook", url) }).toEqual({ url, fault: null });
    for (const url of ["http://unknown.example/", "https://unknown.example:1023/", "http://unknown.example:8080/"])
      expect({ url, fault: await checkHere("webhook", url) }).toEqual({
        url,
        fault: expect.stringContaining("WEBHOOK_ALLOW_PRIVATE"),
      });
  });

  test("of Discord is a webhook's, of Discord's hosts or one that is allowed", async () => {
    const webhook = "/api/webhooks/123/abc_-D";
    const known: Record<string, string[]> = { "discord.com": ["8.8.8.8"], "mine.example": ["127.0.0.1"], ...addresses };
    const checkHere = makeCheckAddress({ allowPrivate, lookUp: async (host) => known[host] ?? ["8.8.8.8"] });
    for (const url of [
      ...["discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com"].map(
        (host) => `https://${host}${webhook}`,
      ),
      `https://discord.com${webhook}?thread_id=42`,
      `http://127.0.0.1:1234${webhook}`,
      `http://mine.example${webhook}`,
    ])
      expect({ url, fault: await checkHere("discord", url) }).toEqual({ url, fault: null });
    for (const url of [
      `https://discord.com.evil.example${webhook}`,
      `https://evildiscord.com${webhook}`,
      `https://public.example${webhook}`,
      `https://both.example${webhook}`,
      `https://8.8.8.8${webhook}`,
      `http://discord.com${webhook}`,
      `https://discord.com:8443${webhook}`,
      `https://discord.com${webhook}/other`,
      `https://discord.com${webhook}?thread_id=x`,
      "https://discord.com/api/webhooks/123",
      "https://discord.com/api/webhooks/abc/123",
      "https://discord.com/api/users/@me",
      `http://10.0.0.1${webhook}`,
      "nonsense",
    ])
      expect({ url, fault: await checkHere("discord", url) }).toEqual({ url, fault: expect.stringMatching(/\.$/) });
    const checkNone = makeCheckAddress({ allowPrivate: [], lookUp: async () => ["8.8.8.8"] });
    expect(await checkNone("discord", `https://public.example${webhook}`)).toContain(
      "not the URL of a Discord webhook",
    );
  });
});
