// Tests of destinations that a person asks for: the result comes in time, whatever the other side does.
import { EventEmitter, once } from "node:events";
import { expect, test } from "vitest";
import { roleKinds, type DestinationKind, type DestinationSecrets } from "#domain/destination.ts";
import { systemClock } from "#process/clock.ts";
import { startAnswerCalls, type SyncNow } from "#delivery/answer-calls.ts";
import type { Call, CallResult, SyncResult } from "#delivery/call-ports.ts";
import type { Courier, HeldDestination } from "#delivery/ports.ts";
import { sampleDestination } from "../../support/sample-events.ts";
import { silentLog } from "../../support/silent-log.ts";

const never = new Promise<never>(() => {});
const courier = { test: () => never } as unknown as Courier;
const refused: SyncResult = { members: 0, changed: 0, differences: [] };

/** A notifier that holds these destinations and finds these calls, in order. */
function answering(options: {
  held: readonly HeldDestination[];
  asked: Call[];
  syncNow?: SyncNow;
  testMsMax?: number;
  tests?: Courier;
}) {
  const { held, asked, syncNow = () => never, testMsMax = 20, tests = courier } = options;
  const results = new Map<string, PromiseWithResolvers<CallResult>>();
  const resultOf = (callId: string) => {
    const result = results.get(callId) ?? Promise.withResolvers<CallResult>();
    results.set(callId, result);
    return result;
  };
  let count = 0;
  const taken = new EventEmitter();
  const notifier = startAnswerCalls({
    calls: {
      ask: () => never,
      async take(_notifierId, { held: compared, free }) {
        const index = asked.findIndex((call) => {
          if (call.kind === "inspect") return free !== null && !free.busyClans.includes(call.clanId);
          const isComparison = call.kind === "sync" && call.platformId === null;
          return (isComparison ? compared : (free?.held ?? [])).includes(call.destinationId);
        });
        const [call] = index === -1 ? [] : asked.splice(index, 1);
        taken.emit("look");
        return call ? { callId: `${count++}`, call } : null;
      },
      answer: async (callId, result) => resultOf(callId).resolve(result),
    },
    notifierId: "n",
    holding: { held: () => [...held] },
    sealer: null,
    couriers: { webhook: tests, discord: tests },
    syncNow,
    inspect: () => never,
    testMsMax,
    clock: systemClock,
    log: silentLog,
  });
  return {
    /** Of the calls in the order in which they were taken. */
    result: (index: number) => resultOf(`${index}`).promise,
    looked: () => once(taken, "look"),
    /** Everything that could be taken was taken. */
    async settled() {
      for (let before = -1; before !== asked.length;) {
        before = asked.length;
        await once(taken, "look");
        await once(taken, "look");
      }
    },
    stop: notifier.stop,
  };
}

function heldOf(kind: DestinationKind, secrets: DestinationSecrets, ids: Partial<HeldDestination["destination"]> = {}) {
  return { destination: { ...sampleDestination(kind), ...ids }, secrets, rev: 0, token: "t" } as HeldDestination;
}
const testOf = (destinationId = "dst_1", rev = 0): Call => ({ kind: "test", destinationId, rev });

test.each<[DestinationKind, DestinationSecrets]>([
  ["webhook", { kind: "webhook", url: "https://example.com/", signing: [] }],
  ["discord", { kind: "discord", url: "https://discord.com/api/webhooks/1/a" }],
  ...roleKinds.map((kind): [DestinationKind, DestinationSecrets] => [kind, { kind, credential: "key" }]),
])("a test of %s that takes too long is a timeout", async (kind, secrets) => {
  const notifier = answering({ held: [heldOf(kind, secrets)], asked: [testOf()] });
  const response = "No response arrived within 0.02 s.";
  expect(await notifier.result(0)).toEqual({ test: { status: null, ms: 20, error: "timeout", response } });
  await notifier.stop();
});

const webhook: DestinationSecrets = { kind: "webhook", url: "https://example.com/", signing: [] };
const group: DestinationSecrets = { kind: "roblox-group", credential: "key" };

test("one clan's tests take two places, and the others' are made meanwhile", async () => {
  const held = ["rovers", "owls"].map((clanId) => heldOf("webhook", webhook, { destinationId: clanId, clanId }));
  const asked = [...Array.from({ length: 40 }, () => testOf("rovers")), testOf("owls")];
  const notifier = answering({ held, asked, testMsMax: 60_000 });
  await notifier.settled();
  expect(asked).toHaveLength(38);
  expect(asked).not.toContainEqual(testOf("owls"));
  await Promise.race([notifier.stop(), notifier.looked()]);
});

test("a comparison serves all who ask for it, and keeps no place from tests", async () => {
  const runs: boolean[] = [];
  const gate = Promise.withResolvers<SyncResult>();
  const compare = (dryRun: boolean): Call => ({
    kind: "sync",
    destinationId: "dst_1",
    rev: 0,
    platformId: null,
    dryRun,
  });
  const asked = [...Array.from({ length: 21 }, () => compare(false)), compare(true), testOf()];
  const notifier = answering({
    held: [heldOf("roblox-group", group)],
    asked,
    syncNow: async (_held, { dryRun }) => (runs.push(dryRun), gate.promise),
  });
  expect(await notifier.result(20)).toEqual({ fault: expect.stringContaining("being compared already") });
  expect(await notifier.result(22)).toMatchObject({ test: { error: "timeout" } });
  expect(runs).toEqual([false, true]);
  gate.resolve(refused);
  for (const index of [0, 19, 21]) expect(await notifier.result(index)).toEqual({ sync: refused });
  await notifier.stop();
});

test("a test is made with the change that the person has made before, once it is in force", async () => {
  const urls: string[] = [];
  const tests = {
    async test(_destination: object, secrets: { url: string }) {
      urls.push(secrets.url);
      return { status: 200, ms: 1, error: null, response: null, verdict: { kind: "delivered" } };
    },
  } as unknown as Courier;
  const held = [heldOf("webhook", webhook)];
  const notifier = answering({ held, asked: [testOf("dst_1", 1)], tests, testMsMax: 60_000 });
  await notifier.looked();
  held[0] = { ...heldOf("webhook", { ...webhook, url: "https://example.com/new" }), rev: 1 };
  expect(await notifier.result(0)).toMatchObject({ test: { status: 200 } });
  expect(urls).toEqual(["https://example.com/new"]);
  await notifier.stop();
});

test("a test that was not sent is no success, and says what it waits for", async () => {
  const tests = {
    test: async () => ({ ms: 0, status: null, error: null, response: null, verdict: { kind: "rest", forMs: 9_500 } }),
  } as unknown as Courier;
  const notifier = answering({ held: [heldOf("webhook", webhook)], asked: [testOf()], tests, testMsMax: 60_000 });
  const response = expect.stringMatching(/^Nothing was sent.* Try again in 10 s\.$/);
  expect(await notifier.result(0)).toEqual({ test: { status: null, ms: 0, error: "not_sent", response } });
  await notifier.stop();
});
