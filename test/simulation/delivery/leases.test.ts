// Leases of notifiers in virtual time: how long one may be frozen before another one works on what it holds, and that
// nobody else notices.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BEAT_EVERY_MS } from "#delivery/bounds.ts";
import type { Holding } from "#delivery/hold-destinations.ts";
import { riseOf, webhookOf } from "../../support/destinations.ts";
import { makeFakeDestinations, type FakeDestinations } from "./fake-destinations.ts";
import { sent, startFakeNotifier, type CallStore } from "./fake-notifier.ts";
import { advanceVirtual as advance, beginVirtualTime, endVirtualTime } from "./virtual-time.ts";

const schedule = { retryMs: [1_000], probeMs: [10_000], disableAfterMs: 3_600_000 };
/** Of MongoDB, for a write of a thousand documents too. */
const LATENCY_MS = 100;
/** With nobody who notifies it, a destination looks for events once a second. */
const SEEN_WITHIN_MS = 2_000;

let database: FakeDestinations;
/** By the ids of events: when each was received. */
let received: Map<string, number[]>;
/** Requests by a notifier while the other one held the destination. */
let intrusions: number;

beforeEach(() => {
  beginVirtualTime();
  received = new Map();
  intrusions = 0;
});
afterEach(endVirtualTime);

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function untilSo(isSo: () => boolean, withinMs: number): Promise<void> {
  const endMs = Date.now() + withinMs;
  while (!isSo()) {
    if (Date.now() > endMs) throw new Error(`It was not so within ${withinMs} virtual ms: ${String(isSo)}`);
    await after(50);
  }
}

/** A notifier that can be frozen: nothing that it asks for is done meanwhile, and it learns of nothing. */
function start(notifierId: string): { holding: Holding; freeze(ms: number): void } {
  let untilMs = 0;
  const thawed = async (): Promise<void> => {
    if (Date.now() < untilMs) await after(untilMs - Date.now());
  };
  const call: CallStore = async (operation) => {
    await after(LATENCY_MS);
    await thawed();
    const result = await operation();
    await thawed();
    return result;
  };
  const holding = startFakeNotifier({
    database,
    notifierId,
    schedule,
    call,
    async send({ destinationId }, _, events) {
      if (database.read(destinationId)?.holder?.notifierId !== notifierId) intrusions += 1;
      await thawed();
      for (const { eventId } of events) received.set(eventId, [...(received.get(eventId) ?? []), Date.now()]);
      await after(1);
      await thawed();
      return sent({ kind: "delivered" });
    },
  });
  return { holding, freeze: (ms) => void (untilMs = Date.now() + ms) };
}

const heldBy = ({ holding }: { holding: Holding }) => new Set(holding.held().filter(({ isHeld }) => isHeld()));

/** Each of them is held since then, without an interruption. */
const isSame = <T>(one: ReadonlySet<T>, other: ReadonlySet<T>): boolean =>
  one.size === other.size && [...one].every((held) => other.has(held));

/** Two notifiers that share these, with what each of them holds. */
async function share(ids: readonly string[]) {
  const [first, second] = [start("n1"), start("n2")];
  await untilSo(() => heldBy(first).size + heldBy(second).size === ids.length, 60_000);
  const [ofFirst, ofSecond] = [heldBy(first), heldBy(second)];
  expect(ofFirst.size).toBeGreaterThan(0);
  expect(ofSecond.size).toBeGreaterThan(0);
  const stop = () => Promise.all([first.holding.stop(), second.holding.stop()]);
  return { first, second, ofFirst, ofSecond, stop };
}

describe("10,000 destinations of two notifiers", { timeout: 60_000 }, () => {
  const IDS = Array.from({ length: 10_000 }, (_, index) => `dst_${index}`);
  /** These have events; what the others cost is to be listed and claimed. */
  const ACTIVE = new Set(IDS.filter((_, index) => index % 500 === 0));
  const clanOf = (destinationId: string): string => `c${destinationId}`;

  /** In each second. */
  function countWrites(): Map<number, number> {
    const counts = new Map<number, number>();
    for (const name of ["begin", "renew", "claim", "release", "leave"] as const) {
      const method = database.holds[name] as (...args: unknown[]) => Promise<never>;
      database.holds[name] = (...args: unknown[]) => {
        const second = Math.floor(Date.now() / 1_000);
        counts.set(second, (counts.get(second) ?? 0) + 1);
        return method(...args);
      };
    }
    return counts;
  }

  /** For so long, each of these receives an event a second. Returns their ids, by destination. */
  async function send(ms: number): Promise<Map<string, { eventId: string; atMs: number }[]>> {
    const events = new Map<string, { eventId: string; atMs: number }[]>();
    for (const endMs = Date.now() + ms; Date.now() < endMs; await after(1_000))
      for (const id of ACTIVE) {
        const [event] = database.append(clanOf(id), [riseOf("m", 1)]);
        if (event) events.set(id, [...(events.get(id) ?? []), { eventId: event.eventId, atMs: Date.now() }]);
      }
    return events;
  }

  test("a frozen one disturbs none of the other's, and what it held is worked on again", async () => {
    database = makeFakeDestinations();
    const writes = countWrites();
    for (const id of IDS) database.add(webhookOf(clanOf(id), id, { state: ACTIVE.has(id) ? "active" : "paused" }));
    const working = share(IDS);
    await advance(working);
    const { first, second, ofFirst, ofSecond, stop } = await working;
    const idsOfFirst = new Set([...ofFirst].map(({ destination }) => destination.destinationId));
    const isOfFirst = (id: string): boolean => idsOfFirst.has(id);
    expect(new Set([...ACTIVE].map(isOfFirst)).size).toBe(2);

    /** While the second one is frozen, and afterwards. Returns how late events of its destinations were. */
    async function freeze(ms: number): Promise<number[]> {
      second.freeze(ms);
      const sending = send(ms + 6_000);
      await advance(sending.then(() => after(SEEN_WITHIN_MS)));
      const late: number[] = [];
      for (const [id, events] of await sending)
        for (const { eventId, atMs } of events) {
          const times = received.get(eventId) ?? [];
          const isRight = isOfFirst(id)
            ? times.length === 1 && (times[0] ?? Infinity) - atMs < SEEN_WITHIN_MS
            : times.length > 0;
          expect({ id, eventId, isRight }).toMatchObject({ isRight: true });
          if (!isOfFirst(id)) late.push((times[0] ?? Infinity) - atMs, ...times.slice(1).map(() => Infinity));
        }
      return late;
    }

    // It keeps its own, and sends nothing twice.
    expect(Math.max(...(await freeze(10_000)))).toBeLessThan(10_000 + SEEN_WITHIN_MS);
    expect([isSame(heldBy(first), ofFirst), isSame(heldBy(second), ofSecond)]).toStrictEqual([true, true]);
    // The first one takes them over, and gives them back.
    const late = await freeze(24_000);
    expect(late.filter((ms) => ms > 16_000 + SEEN_WITHIN_MS && ms !== Infinity)).toStrictEqual([]);
    expect([isSame(heldBy(first), ofFirst), heldBy(second).size]).toStrictEqual([true, ofSecond.size]);
    expect(Math.max(...writes.values())).toBeLessThanOrEqual(20);
    await advance(stop());
  });
});

describe("a notifier that is frozen at any time between two renewals", { timeout: 60_000 }, () => {
  const IDS = Array.from({ length: 12 }, (_, index) => `dst_${111 * index}`);
  const PHASES = Array.from({ length: BEAT_EVERY_MS / 100 + 1 }, (_, index) => index * 100);

  /** `lost`: the share that the other one holds at the end of the freeze. `isAsBefore`: each has its own later. */
  async function freezeFor(ms: number, phaseMs: number) {
    database = makeFakeDestinations();
    for (const id of IDS) database.add(webhookOf("c1", id));
    const { first, second, ofFirst, ofSecond, stop } = await share(IDS);
    await after(4 * BEAT_EVERY_MS + phaseMs);
    // The freeze begins between any two steps of sending it.
    database.append("c1", [riseOf("m", 1)]);
    await after(SEEN_WITHIN_MS / 4);
    second.freeze(ms);
    await after(ms);
    const takenOver = heldBy(first).size - ofFirst.size;
    await after(10_000);
    const isAsBefore = isSame(heldBy(first), ofFirst) && heldBy(second).size === ofSecond.size;
    const isKept = isSame(heldBy(second), ofSecond);
    await stop();
    return { phaseMs, lost: takenOver / ofSecond.size, isKept, isAsBefore };
  }

  async function freezeAlways(ms: number): Promise<Awaited<ReturnType<typeof freezeFor>>[]> {
    const results = [];
    for (const phaseMs of PHASES) {
      const frozen = freezeFor(ms, phaseMs);
      await advance(frozen);
      results.push(await frozen);
    }
    return results;
  }

  test("goes on after 10 s as if nothing had happened", async () => {
    const kept = PHASES.map((phaseMs) => ({ phaseMs, lost: 0, isKept: true, isAsBefore: true }));
    expect(await freezeAlways(10_000)).toStrictEqual(kept);
    // Of one event for each of them, whose id is the same in each phase.
    expect([...received.values()].map((times) => times.length)).toStrictEqual([IDS.length * PHASES.length]);
  });

  test("loses none to the other one in 12 s", async () => {
    const results = await freezeAlways(12_000);
    expect(results.filter(({ lost, isAsBefore }) => lost > 0 || !isAsBefore)).toStrictEqual([]);
    expect(intrusions).toBe(0);
  });

  test("has lost all of them after 16 s, and has them again later", async () => {
    const lost = PHASES.map((phaseMs) => ({ phaseMs, lost: 1, isKept: false, isAsBefore: true }));
    expect(await freezeAlways(16_000)).toStrictEqual(lost);
    expect(intrusions).toBe(0);
  });
});
