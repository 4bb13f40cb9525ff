// The settings of destinations: what is valid, and faults that name no value.
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { loadConfig } from "#process/config.ts";

const servers = { MONGO_URL: "mongodb://127.0.0.1/clanxp", REDIS_URL: "redis://127.0.0.1" };
const keys = [0, 1].map(() => randomBytes(32).toString("base64"));

test("settings of destinations are read, with spaces between parts and fractions of durations", () => {
  const given = {
    SECRETS_KEY: keys.join(", "),
    WEBHOOK_ALLOW_PRIVATE: "127.0.0.0/8, ::1/128,169.254.0.0/16,FE80::/10,0.0.0.0/0",
    WEBHOOK_TIMEOUT_MS: "250.5",
    DELIVERY_RETENTION_DAYS: "0.001",
    DELIVERY_RETRY_S: "0.05, 1",
    DELIVERY_PROBE_S: "0.1",
    DELIVERY_DISABLE_AFTER_H: "0.0005",
    ROBLOX_API_URL: "http://127.0.0.1:1234/",
    DISCORD_API_URL: "https://discord.example.com/api/",
  };
  expect(loadConfig({ ...servers, ...given })).toMatchObject({
    config: {
      secretsKey: keys.join(", "),
      allowPrivate: ["127.0.0.0/8", "::1/128", "169.254.0.0/16", "fe80::/10", "0.0.0.0/0"],
      webhookTimeoutMs: 250.5,
      deliveryRetentionDays: 0.001,
      deliveryRetryS: [0.05, 1],
      deliveryProbeS: [0.1],
      deliveryDisableAfterH: 0.0005,
      robloxApiUrl: "http://127.0.0.1:1234",
      discordApiUrl: "https://discord.example.com/api",
    },
  });
});

const invalid: Record<string, string[]> = {
  SECRETS_KEY: [
    "hunter2",
    `${keys[0]},`,
    `${keys[0]},hunter2`,
    `${keys[0]}`.slice(1),
    `${keys[0]}`.slice(0, -1),
    randomBytes(31).toString("base64"),
    randomBytes(33).toString("base64"),
    randomBytes(32).toString("hex"),
  ],
  WEBHOOK_ALLOW_PRIVATE: [
    "127.0.0.1",
    "localhost",
    "127.0.0.0/33",
    "::1/129",
    "::1/",
    "10.0.0.0/8,",
    "10.0.0.0/8/8",
    "10.0.0.0/-1",
    "010.0.0.0/8",
    "fe80::1%eth0/64",
    "169.254.169.254/32",
    "169.254.0.0/15",
    "fe80::/64",
    "febf::1/128",
  ],
  WEBHOOK_TIMEOUT_MS: ["0", "60001", "15s", "-1", "1e3", " "],
  DELIVERY_RETENTION_DAYS: ["0", "366", "none"],
  DELIVERY_RETRY_S: ["0", "5,,6", "5;6", "604801", Array.from({ length: 21 }, () => 1).join()],
  DELIVERY_PROBE_S: ["", "0.0", "ten"].filter(Boolean),
  DELIVERY_DISABLE_AFTER_H: ["0", "8761"],
  ROBLOX_API_URL: ["apis.roblox.com", "ftp://x", "https://hunter2@x", "https://x?hunter2", "https://x#y", "https://"],
  DISCORD_API_URL: ["https:discord.com", "https://x\\y"],
};

test.each(Object.entries(invalid).flatMap(([name, texts]) => texts.map((text) => [name, text])))(
  "%s %j is rejected, by one fault without the value",
  (name = "", text = "") => {
    const result = loadConfig({ ...servers, [name]: text });
    const faults = result.ok ? [] : result.faults;
    expect(faults).toEqual([expect.stringMatching(new RegExp(`^${name} (?:is not|names a part)`))]);
    if (text.trim().length > 3) expect(faults.join().split(`${name} `)[1]?.startsWith(text)).toBe(false);
    expect(faults.join()).not.toContain("hunter2");
  },
);
