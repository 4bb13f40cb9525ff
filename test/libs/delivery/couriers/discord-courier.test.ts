// Announcements in Discord, against its documented limits and answers.
import { afterAll, describe, expect, test } from "vitest";
import { AppError } from "#kernel/app-error.ts";
import type { DestinationSecrets } from "#domain/destination.ts";
import { eventTypes, type ClanEvent } from "#domain/event.ts";
import { makeDiscordCourier } from "#delivery/couriers/discord-courier.ts";
import { parseDiscordUrl } from "#delivery/couriers/discord-url.ts";
import { makeSendOutbound } from "#delivery/couriers/send-outbound.ts";
import { systemClock } from "#process/clock.ts";
import type { DiscordStop } from "#delivery/ports.ts";
import { ofGateway, startDiscord, type Discord } from "../../../support/discord.ts";
import type { Answer } from "../../../support/receiver.ts";
import { rankChange, sampleDestination, sampleEvent, sampleEvents } from "../../../support/sample-events.ts";

const discord = await startDiscord();
afterAll(() => discord.close());
const [destination, event] = [sampleDestination("discord"), sampleEvent({ type: "member.rank_changed" })];

/** Of one test; the real one is tested with MongoDB. */
function makeStop() {
  const stop = { refusals: 0, restMs: 0, rests: [] as number[] };
  const port: DiscordStop = {
    restMs: async () => stop.restMs,
    noteRefusal: async () => void stop.refusals++,
    rest: async (forMs) => void stop.rests.push(forMs),
  };
  return { ...port, seen: stop };
}

function makeCourier(stop: DiscordStop = makeStop(), readPageUrl = async (): Promise<string | null> => null) {
  const send = makeSendOutbound({ allowPrivate: ["127.0.0.0/8"] });
  return makeDiscordCourier({ send, readPageUrl, stop, version: "1.2.3", timeoutMs: 10_000, clock: systemClock });
}

function secretsOf(server: Discord = discord, thread = ""): DestinationSecrets & { id: string } {
  const { id, url } = server.newWebhook();
  return { kind: "discord", url: `${url}${thread}`, id };
}

function messagesOf({ id }: { id: string }, server = discord) {
  return server.messages.filter(({ webhookId }) => webhookId === id);
}

describe("a message", () => {
  test("says of each event what happened, with names and XP as people write them", async () => {
    const secrets = secretsOf();
    const courier = makeCourier();
    expect(courier).toMatchObject({ eventsMax: 10, atOnceMax: 1 });
    const [first, ...others] = sampleEvents;
    for (const events of [[first ?? event], others.slice(0, 10), others.slice(10)])
      expect(await courier.send(destination, secrets, events)).toMatchObject({
        status: 200,
        error: null,
        response: null,
        verdict: { kind: "delivered" },
      });
    const embeds = messagesOf(secrets).flatMap(({ body }) => body.embeds);
    expect(messagesOf(secrets).map(({ body }) => body.embeds.length)).toEqual([1, 10, 2]);
    expect(embeds.map(({ timestamp }: any) => timestamp)).toEqual(sampleEvents.map(({ at }) => at.toISOString()));
    const texts = embeds.map(({ title, description }: any) => `${title}: ${description}`);
    expect(Object.fromEntries(eventTypes.map((type, index) => [type, texts[index]]))).toEqual({
      "member.rank_changed": "Rank up: **Builderman** is now **Veteran** (1,250 XP)",
      "member.joined": "New member: **Builderman** joined as **Veteran** (1,250 XP)",
      "member.left": "Member left: **Builderman** left (1,250 XP)",
      "award.applied": "XP changed: **156**: +1,150 XP, now 1,250 XP\\: won the match",
      "batch.done": "Batch done: bat\\_1\\: 1,998 awards applied, 2 rejected",
      "reversal.done": "Reversal done: rev\\_1\\: 10 awards reversed, 2 skipped",
      "ranks.changed": "Ranks changed: Now Guest, Recruit; 1,200 members up, 1 down",
      "period.final": [
        String.raw`Weekly\_XP: 2026-11-16 to 2026-11-22: 1. Builderman  1,250 XP  ▲3`,
        "2. 157  900 XP  ▼1",
        "3. 158  7 XP",
        "3. 159  7 XP  new",
        "",
        "12 joined, 3 left, 8 rose, 1 fell; 3,204 awards",
      ].join("\n"),
      "events.erased": "Events erased: 2 events about an erased person",
      "key.created": "API key created: API key Game servers",
      "key.rotated": "API key rotated: API key Game servers",
      "key.revoked": "API key revoked: API key Game servers",
      "destination.disabled": "Destination disabled: Our server\\: The receiver has responded 410 Gone.",
    });
  });

  test("waits while MongoDB cannot say whether the clan has a public page, to which results of periods alone link", async () => {
    const courier = makeCourier(makeStop(), async () => Promise.reject(new AppError("unavailable", "none")));
    const send = (one: ClanEvent) => courier.send(destination, secretsOf(), [one]);
    expect(await send(sampleEvent({ type: "period.final" }))).toMatchObject({ verdict: { kind: "rest" } });
    expect(await send(event)).toMatchObject({ status: 200 });
  });

  test("names whoever has no name by their id, says when a rank is lost, and stays in its thread", async () => {
    const secrets = secretsOf(discord, "?thread_id=77");
    const down = { ...rankChange, name: null, direction: "down", rank: "Recruit", xp: 90n };
    await makeCourier().send(destination, secrets, [sampleEvent({ type: "member.rank_changed", data: down })]);
    expect(messagesOf(secrets)).toMatchObject([
      { threadId: "77", body: { embeds: [{ title: "Rank down", description: "**156** is now **Recruit** (90 XP)" }] } },
    ]);
  });

  test.each([
    ["**bold** __line__ ~~gone~~ ||hidden||", String.raw`\*\*bold\*\* \_\_line\_\_ \~\~gone\~\~ \|\|hidden\|\|`],
    ["`code` \\* end\\", String.raw`\`code\` \\\* end\\`],
    ["@everyone <@1> <@&2> <#3> <:x:4>", String.raw`\@everyone \<\@1\> \<\@&2\> \<\#3\> \<\:x\:4\>`],
    ["[gift](https://evil.example)", String.raw`\[gift\]\(https\:\/\/evil.example\)`],
    ["a\n# head\n> quote\u2028- list", String.raw`a \# head \> quote - list`],
  ])("shows %j as it is: nothing is formatted, linked or mentioned", async (name, expected) => {
    const secrets = secretsOf();
    const data = { ...rankChange, name };
    await makeCourier().send(destination, secrets, [sampleEvent({ type: "member.rank_changed", data })]);
    const [message] = messagesOf(secrets);
    expect(message?.body).toMatchObject({ allowed_mentions: { parse: [] } });
    expect(message?.body.embeds[0].description).toBe(`**${expected}** is now **Veteran** (1,250 XP)`);
  });

  test("is within Discord's lengths with the longest texts, and cuts no character", async () => {
    const secrets = secretsOf();
    const data = { ...sampleEvents.find(({ type }) => type === "award.applied")?.data, reason: "🏆_".repeat(250) };
    const long = Array.from({ length: 10 }, () => sampleEvent({ type: "award.applied", data }));
    expect(await makeCourier().send(destination, secrets, long)).toMatchObject({ status: 200 });
    expect(messagesOf(secrets)[0]?.body.embeds[9].description).toMatch(/(?:🏆|_)…$/u);
  });

  test("summarizes a flood by ranks", async () => {
    const { summary } = makeCourier();
    expect(summary?.above).toBe(100);
    const secrets = secretsOf();
    const to = (rank: string, direction: string, count: number) =>
      Array.from({ length: count }, () =>
        sampleEvent({ type: "member.rank_changed", data: { ...rankChange, rank, direction } }),
      );
    const joined = sampleEvents.filter(({ type }) => type === "member.joined");
    const flood = [...to("Veteran", "up", 1_100), ...to("El_ite", "up", 20), ...joined, ...to("Recruit", "down", 3)];
    expect(await summary?.send(destination, secrets, flood)).toMatchObject({ status: 200, response: null });
    expect(messagesOf(secrets).map(({ body }) => body.embeds)).toEqual([
      [
        {
          title: "1,124 events",
          description: "Up to **Veteran**: 1,100\nUp to **El\\_ite**: 20\nDown to **Recruit**: 3\nNew member: 1",
        },
      ],
    ]);
    const manyRanks = Array.from({ length: 500 }, (_, rank) => to(`${rank}-${"_".repeat(90)}`, "up", 1)).flat();
    expect(await summary?.send(destination, secrets, manyRanks)).toMatchObject({ status: 200 });
    expect(messagesOf(secrets)[1]?.body.embeds[0].description).toMatch(/: 1\nand \d+ more kinds$/);
  });
});

test("a test posts a sample, and shows the response", async () => {
  const secrets = secretsOf();
  const sent = await makeCourier().test(destination, secrets);
  expect(sent).toMatchObject({
    status: 200,
    response: expect.stringContaining("Test"),
    verdict: { kind: "delivered" },
  });
  expect(messagesOf(secrets)).toMatchObject([{ body: { embeds: [{ title: "Test" }] } }]);
});

describe("limits", () => {
  test("are obeyed before they are reached", async ({ onTestFinished }) => {
    const own = await startDiscord({ windowMs: 500 });
    onTestFinished(() => own.close());
    const [secrets, courier] = [secretsOf(own), makeCourier()];
    for (let count = 0; count < 11; count++)
      expect(await courier.send(destination, secrets, [event])).toMatchObject({ verdict: { kind: "delivered" } });
    expect(own.limited()).toBe(0);
  });

  test.each([{ oldVersion: false }, { oldVersion: true }])(
    "that another program has used up are obeyed, whatever the unit of the version: %j",
    async ({ oldVersion }) => {
      const windowMs = 60_000;
      const own = await startDiscord({ oldVersion, windowMs });
      try {
        const stop = makeStop();
        const [secrets, courier] = [secretsOf(own), makeCourier(stop)];
        for (let count = 0; count < 5; count++) await courier.send(destination, secrets, [event]);
        expect(await courier.send(destination, secrets, [event])).toMatchObject({
          status: null,
          verdict: { kind: "rest" },
        });
        const sent = await makeCourier(stop).send(destination, secrets, [event]);
        expect(sent).toMatchObject({ status: 429, error: "status", verdict: { kind: "rest" } });
        const { forMs } = sent.verdict as { forMs: number };
        expect(forMs).toBeGreaterThan(1_000);
        expect(forMs).toBeLessThanOrEqual(windowMs);
        expect(stop.seen).toMatchObject({ refusals: 1, rests: [] });
        expect(own.limited()).toBe(1);
      } finally {
        await own.close();
      }
    },
  );

  const limited = (headers: Record<string, string>, body: string): Answer => ({ status: 429, headers, body });
  test.each<[string, Answer, number, boolean]>([
    ["body", limited({ "x-ratelimit-reset-after": "1" }, '{"retry_after": 120.5, "global": false}'), 120_500, false],
    ["header without a body that is known", limited({ "retry-after": "7" }, "{}"), 7_000, false],
    ["body of the global limit", limited({ "retry-after": "1" }, '{"retry_after": 0.3, "global": true}'), 300, true],
    ["header of the global limit", limited({ "retry-after": "2", "x-ratelimit-global": "true" }, "{}"), 2_000, true],
    ["gateway that bans", limited({ ...ofGateway, "retry-after": "86400" }, "<html>1015</html>"), 3_600_000, true],
    ["gateway that says nothing", limited(ofGateway, "error code: 1015"), 5_000, true],
    ["page of another proxy", limited({ "retry-after": "7" }, "<html>slow down</html>"), 7_000, false],
    ["body with nonsense", limited({}, '{"retry_after": "soon"}'), 5_000, false],
  ])("in the %s", async (_name, answer, forMs, isForAll) => {
    const stop = makeStop();
    discord.answerNext(answer);
    expect(await makeCourier(stop).send(destination, secretsOf(), [event])).toMatchObject({
      status: 429,
      verdict: { kind: "rest", forMs },
    });
    expect(stop.seen).toMatchObject({ refusals: 1, rests: isForAll ? [forMs] : [] });
  });

  test("a rest that Discord asks for all is ten minutes at most, unless it bans the address", async () => {
    for (const [body, forMs] of [
      ['{"retry_after": 2500, "global": true}', 600_000],
      ['{"message": "You are being blocked from accessing our API temporarily.", "retry_after": 90}', 90_000],
      ['{"retry_after": 0, "global": true}', 250],
    ] as const) {
      const stop = makeStop();
      discord.answerNext(limited({}, body));
      await makeCourier(stop).send(destination, secretsOf(), [event]);
      expect(stop.seen.rests).toEqual([forMs]);
    }
  });

  test("tests that Discord has rejected three times are made once a minute, until another URL is set", async () => {
    const secrets = { ...secretsOf(), url: discord.newWebhook().url.replace(/.$/, "x") };
    const courier = makeCourier();
    for (let count = 0; count < 3; count += 1)
      expect(await courier.test(destination, secrets)).toMatchObject({ status: 401, verdict: { kind: "disable" } });
    const limitedTest = await courier.test(destination, secrets);
    expect(limitedTest).toMatchObject({ status: null, verdict: { kind: "rest" } });
    expect((limitedTest.verdict as { forMs: number }).forMs).toBeLessThanOrEqual(60_000);
    expect(await courier.test(destination, secretsOf())).toMatchObject({ status: 200 });
  });

  test("nothing is sent while the stop of all clans asks for a rest, or cannot be read", async () => {
    const secrets = secretsOf();
    const stop = makeStop();
    stop.seen.restMs = 60_000;
    const rest = { status: null, error: null, verdict: { kind: "rest", forMs: 60_000 } };
    expect(await makeCourier(stop).send(destination, secrets, [event])).toMatchObject(rest);
    const failing = { ...stop, restMs: () => Promise.reject(new Error("unavailable")) };
    expect(await makeCourier(failing).test(destination, secrets)).toMatchObject({ verdict: { kind: "rest" } });
    expect(messagesOf(secrets)).toEqual([]);
  });
});

test.each([
  "/api/v10/webhooks/ID/TOKEN",
  "/api/webhooks/ID/TOKEN/",
  "/api/webhooks/ID/TOKEN/slack",
  "/api/webhooks/ID/TOKEN/github",
])("the form %s of a URL names the same webhook", (form) => {
  for (const host of ["discord.com", "www.discord.com"]) {
    const url = `https://${host}${form.replace("ID", "123").replace("TOKEN", "abc")}?wait=true&thread_id=4`;
    const messagesUrl = "https://discord.com/api/v10/webhooks/123/abc?wait=true&thread_id=4";
    expect(parseDiscordUrl(url)).toMatchObject({ webhookId: "123", needsAllowed: false, messagesUrl });
  }
});

describe("a response", () => {
  const html = { "content-type": "text/html" };
  test.each<[string, Answer, object, number]>([
    ["204", { status: 204 }, { kind: "delivered" }, 0],
    ["400", { status: 400, body: '{"code": 50035}' }, { kind: "refused" }, 0],
    ["401", { status: 401 }, { kind: "disable", reason: expect.stringMatching(/401.*Create a new webhook/) }, 1],
    ["403", { status: 403, body: "{}" }, { kind: "disable", reason: expect.stringContaining("403") }, 1],
    ["403 of a gateway", { status: 403, headers: { ...html, ...ofGateway }, body: "<html>" }, { kind: "failed" }, 1],
    ["403 with HTML", { status: 403, headers: html, body: "<html>" }, { kind: "failed" }, 1],
    ["404 of another service", { status: 404, body: '{"code": 0}' }, { kind: "failed" }, 0],
    ["404 of another channel", { status: 404, body: '{"code": 10003}' }, { kind: "disable" }, 0],
    ["403 with JSON", { status: 403, headers: { ...ofGateway }, body: '{"code": 50013}' }, { kind: "disable" }, 1],
    ["401 with HTML", { status: 401, headers: { ...html, ...ofGateway }, body: "<html>" }, { kind: "failed" }, 1],
    ["404 with HTML", { status: 404, headers: html, body: "<html>" }, { kind: "failed" }, 0],
    ["404", { status: 404, body: '{"code": 10015}' }, { kind: "disable", reason: expect.stringContaining("404") }, 0],
    ["405", { status: 405 }, { kind: "failed" }, 0],
    ["500 with other JSON", { status: 500, body: '{"message": "Internal"}' }, { kind: "failed" }, 0],
    ["502 with HTML", { status: 502, headers: html, body: "<html>Bad Gateway</html>" }, { kind: "failed" }, 0],
    ["none", "close", { kind: "failed" }, 0],
  ])("%s", async (_name, answer, verdict, refusals) => {
    const stop = makeStop();
    discord.answerNext(answer);
    expect(await makeCourier(stop).send(destination, secretsOf(), [event])).toMatchObject({ verdict });
    expect(stop.seen.refusals).toBe(refusals);
  });

  test("of a webhook that was deleted disables", async () => {
    const secrets = secretsOf();
    discord.deleteWebhook(secrets.id);
    expect(await makeCourier().send(destination, secrets, [event])).toMatchObject({
      status: 404,
      error: "status",
      verdict: { kind: "disable" },
    });
  });
});
