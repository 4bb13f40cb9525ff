// Webhooks, as a receiver on this machine and the library of Standard Webhooks see them.
import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { eventResponse } from "#contract/event-response.ts";
import type { DestinationSecrets } from "#domain/destination.ts";
import { makeSendOutbound } from "#delivery/couriers/send-outbound.ts";
import { makeWebhookCourier } from "#delivery/couriers/webhook-courier.ts";
import { systemClock } from "#process/clock.ts";
import { startReceiver, type Answer, type Received } from "../../../support/receiver.ts";
import { rankChange, sampleDestination, sampleEvent, sampleEvents } from "../../../support/sample-events.ts";

const receiver = await startReceiver();
afterAll(() => receiver.close());
beforeEach(() => {
  receiver.requests.length = 0;
  receiver.answer({ status: 204 });
});

const now = new Date();
const courier = makeWebhookCourier({
  send: makeSendOutbound({ allowPrivate: ["127.0.0.0/8"] }),
  version: "1.2.3",
  timeoutMs: 10_000,
  clock: { ...systemClock, now: () => now },
});
const destination = sampleDestination("webhook");
const event = sampleEvent({ type: "member.rank_changed" });

function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

type Signing = Extract<DestinationSecrets, { kind: "webhook" }>["signing"];

function secretsOf(signing: Signing): DestinationSecrets {
  return { kind: "webhook", url: `${receiver.url}/clan-events?key=1`, signing };
}

function verify({ headers, body }: Received, secret: string): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

async function sentTo(answer: Answer) {
  receiver.answer(answer);
  return courier.send(destination, secretsOf([{ secret: newSecret(), endsAt: null }]), [event]);
}

describe("an event in a request", () => {
  test("is the event as the feed has it, signed so that a library verifies it, whatever its type", async () => {
    const secret = newSecret();
    for (const one of sampleEvents)
      expect(await courier.send(destination, secretsOf([{ secret, endsAt: null }]), [one])).toMatchObject({
        status: 204,
        error: null,
        response: "",
        verdict: { kind: "delivered" },
      });
    expect(receiver.requests.map((request) => verify(request, secret))).toEqual(sampleEvents.map(eventResponse));
    expect(receiver.requests[0]).toMatchObject({
      method: "POST",
      path: "/clan-events?key=1",
      headers: {
        "content-type": "application/json",
        "user-agent": "ClanXP/1.2.3",
        "webhook-id": "evt_1",
        "webhook-timestamp": `${Math.floor(now.getTime() / 1_000)}`,
      },
    });
  });

  test("has the same bytes in every attempt", async () => {
    const name = "Zoë 🏆\u2028";
    const named = sampleEvent({ type: "member.rank_changed", data: { ...rankChange, name } });
    const secrets = secretsOf([{ secret: newSecret(), endsAt: null }]);
    for (let attempt = 0; attempt < 2; attempt++) await courier.send(destination, secrets, [named]);
    const [first, second] = receiver.requests;
    expect(second?.body).toBe(first?.body);
    expect(JSON.parse(second?.body ?? "")).toMatchObject({ data: { name } });
  });

  test("is signed by the new secret first, and by at most two replaced ones until they end", async () => {
    const [newest, ...replaced] = Array.from({ length: 5 }, newSecret);
    const ends = [1, 60_000, 0, 60_000].map((ms) => new Date(now.getTime() + ms));
    const signing = replaced.map((secret, index) => ({ secret, endsAt: ends[index] ?? null }));
    await courier.send(destination, secretsOf([{ secret: newest ?? "", endsAt: null }, ...signing]), [event]);
    const request = await receiver.received(1).then(([first]) => first as Received);
    const signatures = String(request.headers["webhook-signature"]).split(" ");
    expect(signatures).toHaveLength(3);
    const alone = { ...request, headers: { ...request.headers, "webhook-signature": signatures[0] } };
    expect(verify(alone, newest ?? "")).toEqual(eventResponse(event));
    for (const valid of [newest, replaced[0], replaced[1]])
      expect(verify(request, valid ?? "")).toEqual(eventResponse(event));
    for (const ended of [replaced[2], replaced[3]]) expect(() => verify(request, ended ?? "")).toThrow("No matching");
  });
});

test("a test sends a ping that verifies, with an id that no event has", async () => {
  const secret = newSecret();
  receiver.answer({ status: 200, body: "pong" });
  for (let count = 0; count < 2; count++)
    expect(await courier.test(destination, secretsOf([{ secret, endsAt: null }]))).toMatchObject({
      status: 200,
      response: "pong",
      verdict: { kind: "delivered" },
    });
  const pings = receiver.requests.map((request) => verify(request, secret)) as { id: string }[];
  expect(pings[0]).toEqual({
    id: expect.stringMatching(/^evt_[\w-]{16}$/),
    timestamp: now.toISOString(),
    clanId: "rovers",
    type: "test.ping",
    data: { destinationId: "dst_1" },
  });
  expect(receiver.requests.map(({ headers }) => headers["webhook-id"])).toEqual(pings.map(({ id }) => id));
  expect(new Set(pings.map(({ id }) => id)).size).toBe(2);
});

describe("a response", () => {
  const later = (ms: number): string => new Date(now.getTime() + ms).toUTCString();
  const rest = (status: number, value: string, clockMs = 0): Answer => {
    return { status, headers: { "retry-after": value, date: later(clockMs) } };
  };

  test.each<[string, Answer, object]>([
    ["200", { status: 200, body: "ok" }, { status: 200, error: null, response: "ok", verdict: { kind: "delivered" } }],
    ["299", { status: 299 }, { status: 299, verdict: { kind: "delivered" } }],
    ["200 whose body never ends", "endless body", { status: 200, error: null, verdict: { kind: "delivered" } }],
    [
      "200 whose connection closes",
      "close in body",
      { status: 200, response: "begun", verdict: { kind: "delivered" } },
    ],
    ["302", { status: 302, headers: { location: "/" } }, { status: 302, error: "status", verdict: { kind: "failed" } }],
    ["400", { status: 400, body: "no" }, { status: 400, response: "no", verdict: { kind: "failed" } }],
    ["404", { status: 404 }, { status: 404, verdict: { kind: "failed" } }],
    ["410", { status: 410 }, { status: 410, verdict: { kind: "disable", reason: expect.stringContaining("410") } }],
    ["429", { status: 429 }, { status: 429, error: "status", verdict: { kind: "failed" } }],
    ["429 with seconds", rest(429, "120"), { status: 429, verdict: { kind: "rest", forMs: 120_000 } }],
    ["429 with 0, which asks for nothing", rest(429, "0"), { verdict: { kind: "failed" } }],
    ["429 with little", rest(429, "0.1"), { verdict: { kind: "rest", forMs: 1_000 } }],
    ["401", { status: 401, body: "no" }, { response: "no", detail: expect.stringContaining("signing secret") }],
    ["503 with a day", rest(503, "86400"), { verdict: { kind: "rest", forMs: 3_600_000 } }],
    ["503 with a date", rest(503, later(61_000)), { verdict: { kind: "rest", forMs: 61_000 } }],
    ["503 with a past date", rest(503, later(-61_000)), { verdict: { kind: "failed" } }],
    [
      "503 with a date by a clock that is an hour behind",
      rest(503, later(-3_539_000), -3_600_000),
      { verdict: { kind: "rest", forMs: 61_000 } },
    ],
    [
      "301 with the URL to set, without its query",
      { status: 301, headers: { location: "https://example.com/new?key=hunter2" } },
      { detail: "Redirects to https://example.com/new?…: set that URL.", verdict: { kind: "failed" } },
    ],
    ["503 with nonsense", rest(503, "-5"), { verdict: { kind: "failed" } }],
    ["500 with seconds", rest(500, "5"), { status: 500, verdict: { kind: "failed" } }],
    ["none", "close", { status: null, error: "connection", response: null, verdict: { kind: "failed" } }],
  ])("%s", async (_name, answer, expected) => {
    expect(await sentTo(answer)).toMatchObject(expected);
    expect(receiver.requests).toHaveLength(1);
  });

  test("of any size is shown by its first KiB, without a part of a character", async () => {
    const { response } = await sentTo({ status: 500, body: `a${"é".repeat(20_000)}` });
    expect(response).toBe(`a${"é".repeat(511)}`);
  });
});
