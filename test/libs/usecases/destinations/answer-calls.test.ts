// Tests of destinations that a person asks for: the result comes in time, whatever the other side does.
import { expect, test } from "vitest";
import { roleKinds, type DestinationKind, type DestinationSecrets } from "#domain/destination.ts";
import { systemClock } from "#runtime/process/clock.ts";
import { startAnswerCalls } from "#usecases/destinations/answer-calls.ts";
import type { CallResult, Courier, HeldDestination } from "#usecases/destinations/ports.ts";
import { sampleDestination } from "../../../support/sample-events.ts";
import { silentLog } from "../../../support/silent-log.ts";

const never = new Promise<never>(() => {});
const courier = { test: () => never } as unknown as Courier;

test.each<[DestinationKind, DestinationSecrets]>([
  ["webhook", { kind: "webhook", url: "https://example.com/", signing: [] }],
  ["discord", { kind: "discord", url: "https://discord.com/api/webhooks/1/a" }],
  ...roleKinds.map((kind): [DestinationKind, DestinationSecrets] => [kind, { kind, credential: "key" }]),
])("a test of %s that takes too long is a timeout", async (kind, secrets) => {
  const held = { destination: sampleDestination(kind), secrets } as HeldDestination;
  const asked = [{ callId: "call", call: { kind: "test", destinationId: "dst_1" } as const }];
  const answered = Promise.withResolvers<CallResult>();
  const answering = startAnswerCalls({
    calls: {
      ask: () => never,
      take: async () => asked.pop() ?? null,
      answer: async (_callId, result) => answered.resolve(result),
    },
    notifierId: "n",
    holding: { held: () => [held] },
    sealer: null,
    couriers: { webhook: courier, discord: courier },
    syncNow: () => never,
    inspect: () => never,
    testMsMax: 20,
    clock: systemClock,
    log: silentLog,
  });
  const response = "No response arrived within 0.02 s.";
  expect(await answered.promise).toEqual({ test: { status: null, ms: 20, error: "timeout", response } });
  await answering.stop();
});
