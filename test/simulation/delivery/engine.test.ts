// Histories of deliveries that were wrong once, each with the guarantee that it broke, in virtual time.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AppError } from "#kernel/app-error.ts";
import type { ClanEvent } from "#domain/event.ts";
import type { Log } from "#kernel/log.ts";
import type { Sent } from "#delivery/ports.ts";
import { memberOf } from "#delivery/wanted-events.ts";
import { riseOf, webhookOf } from "../../support/destinations.ts";
import { silentLog } from "../../support/silent-log.ts";
import { advance, useVirtualTime } from "../advance.ts";
import { makeFakeDestinations, type FakeDestinations } from "./fake-destinations.ts";
import { sent, seqOf, startFakeNotifier, type FakeNotifierOptions } from "./fake-notifier.ts";

const CLAN = "c1";
const ID = "dst_1";
const schedule = { retryMs: [1_000, 300_000], probeMs: [10_000], disableAfterMs: 3_600_000 };
const OK = sent({ kind: "delivered" });
const FAILED = sent({ kind: "failed" });

let database: FakeDestinations;
let seen: { member: string | null; seq: number; eventId: string }[];
let answer: (event: ClanEvent) => Sent;

beforeEach(() => {
  useVirtualTime();
  database = makeFakeDestinations();
  seen = [];
  answer = () => OK;
});
afterEach(() => void vi.useRealTimers());

function start(options: Partial<FakeNotifierOptions> = {}) {
  const send: FakeNotifierOptions["send"] = async (_, __, events) => {
    for (const event of events) seen.push({ member: memberOf(event), seq: seqOf(event), eventId: event.eventId });
    await after(1);
    return answer(events[0] as ClanEvent);
  };
  return startFakeNotifier({ database, notifierId: "n1", send, schedule, ...options });
}

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const waiting = (): number => database.deliveriesOf(ID).filter(({ state }) => state === "waiting").length;
const stateOf = (id = ID): string | undefined => database.read(id)?.destination.state;

async function untilSo(isSo: () => boolean, withinMs = 600_000): Promise<void> {
  const endMs = Date.now() + withinMs;
  while (!isSo()) {
    if (Date.now() > endMs) throw new Error(`It was not so within ${withinMs} virtual ms: ${String(isSo)}`);
    await after(50);
  }
}

describe("more deliveries that wait than are in memory", () => {
  test("are all sent", { timeout: 60_000 }, async () => {
    database.add(webhookOf(CLAN, ID));
    const holding = start();
    const events = database.append(
      CLAN,
      Array.from({ length: 2_500 }, (_, index) => riseOf(`m${index % 700}`, index + 1)),
    );
    await advance(untilSo(() => seen.length === events.length));
    await advance(untilSo(() => waiting() === 0));
    seen = [];
    expect(database.resend(ID, events)).toBe(2_500);
    await advance(untilSo(() => waiting() === 0));
    expect(seen.map(({ eventId }) => eventId)).toStrictEqual(events.map(({ eventId }) => eventId));
    await advance(holding.stop());
  });

  test("are not overtaken by later events of their members", { timeout: 60_000 }, async () => {
    database.add(webhookOf(CLAN, ID));
    const holding = start();
    const older = database.append(
      CLAN,
      Array.from({ length: 1_200 }, (_, index) => riseOf(`m${index}`, index + 1)),
    );
    await advance(untilSo(() => seen.length === older.length));
    answer = (event) => (memberOf(event) === "bad" ? FAILED : OK);
    database.append(CLAN, [riseOf("bad", 1)]);
    await advance(untilSo(() => seen.filter(({ member }) => member === "bad").length === 2));
    // It waits for minutes now.
    answer = () => OK;
    seen = [];
    database.resend(ID, older);
    database.append(CLAN, [riseOf("bad", 2), riseOf("bad", 3)]);
    await advance(untilSo(() => waiting() === 0 && seen.length === older.length + 3));
    expect(seen.filter(({ member }) => member === "bad").map(({ seq }) => seq)).toStrictEqual([1, 2, 3]);
    await advance(holding.stop());
  });
});

describe("a destination that is failing while nothing waits", () => {
  test.each(["has failed for good", "was erased"])("is probed with the next event, if the last %s", async (how) => {
    database.add(webhookOf(CLAN, ID));
    const isErased = how === "was erased";
    const retryMs = Array.from({ length: isErased ? 9 : 4 }, () => 1_000);
    const holding = start({ schedule: { ...schedule, retryMs } });
    answer = () => FAILED;
    const [first] = database.append(CLAN, [riseOf("a", 1)]);
    await advance(untilSo(() => stateOf() === "failing"));
    if (isErased) database.erase(CLAN, [first?.n ?? 0]);
    await advance(untilSo(() => waiting() === 0));
    answer = () => OK;
    database.append(CLAN, [riseOf("b", 2), riseOf("b", 3)]);
    await advance(untilSo(() => stateOf() === "active" && waiting() === 0, 60_000));
    expect(seen.slice(-2).map(({ seq }) => seq)).toStrictEqual([2, 3]);
    await advance(holding.stop());
  });
});

test("a receiver that stays unreachable is one warning, and its return one line", async () => {
  const logged: [level: string, event: string][] = [];
  const logAs = (level: string) => (_: object, event: string) => void logged.push([level, event]);
  const log: Log = { ...silentLog, info: logAs("info"), warn: logAs("warn") };
  database.add(webhookOf(CLAN, ID));
  const holding = start({ log, schedule: { ...schedule, retryMs: Array.from({ length: 200 }, () => 10_000) } });
  answer = () => FAILED;
  database.append(CLAN, [riseOf("a", 1)]);
  await advance(after(1_800_000));
  expect(logged.filter(([level]) => level === "warn")).toStrictEqual([["warn", "destination.failing"]]);
  expect(logged.filter(([, event]) => event === "delivery.failed").length).toBeGreaterThan(20);
  answer = () => OK;
  await advance(untilSo(() => stateOf() === "active"));
  expect(logged.at(-1)).toStrictEqual(["info", "destination.resumed"]);
  await advance(holding.stop());
});

describe("a bug", () => {
  function watchLog(): { log: Log; errors: string[] } {
    const errors: string[] = [];
    return { log: { ...silentLog, error: (_, event) => void errors.push(event) }, errors };
  }

  test.each(["readAt", "record"])("in %s stops its destination visibly, and no other", async (where) => {
    const { log, errors } = watchLog();
    const { feed, deliveries } = database;
    let isBroken = true;
    const fault = (): void => {
      if (isBroken) throw new TypeError("made up");
    };
    const broken: FakeDestinations = {
      ...database,
      feed: {
        ...feed,
        async readAt(clanId, numbers) {
          if (where === "readAt" && clanId === CLAN) fault();
          return await feed.readAt(clanId, numbers);
        },
      },
      deliveries: {
        ...deliveries,
        async record(destinationId, results) {
          if (where === "record" && destinationId === ID) fault();
          return deliveries.record(destinationId, results);
        },
      },
    };
    database.add(webhookOf(CLAN, ID));
    database.add(webhookOf("c2", "dst_2"));
    const holding = start({ database: broken, log });
    database.append(CLAN, [riseOf("a", 1), riseOf("a", 2)]);
    await advance(untilSo(() => stateOf() === "failing"));
    expect(database.read(ID)?.destination.stateReason).toContain("destination.run_failed");
    const [event] = database.append("c2", [riseOf("a", 3)]);
    await advance(untilSo(() => seen.some(({ eventId }) => eventId === event?.eventId), 5_000));
    await advance(after(30_000));
    expect(errors).toStrictEqual(["destination.run_failed"]);
    isBroken = false;
    await advance(untilSo(() => stateOf() === "active" && waiting() === 0, 120_000));
    await advance(holding.stop());
  });
});

test("a delivery that a write has counted late is sent again until its end is stored", async () => {
  database.add(webhookOf(CLAN, ID));
  answer = () => FAILED;
  const holding = start();
  const [event] = database.append(CLAN, [riseOf("m1", 1)]);
  await advance(untilSo(() => seen.length === 1));
  await advance(after(100));
  const stored = database.deliveryOf(ID, event?.n ?? 0);
  if (stored) stored.tried += 1;
  answer = () => OK;
  await advance(untilSo(() => waiting() === 0, 60_000));
  expect(stored?.state).toBe("delivered");
  await advance(holding.stop());
});

test("a state that is written late, although its notifier has given the write up, replaces none of later", async () => {
  const { runs } = database;
  let isFirst = true;
  const late: FakeDestinations = {
    ...database,
    runs: {
      ...runs,
      async note(held, change) {
        if (change.state !== "failing" || !isFirst) return runs.note(held, change);
        isFirst = false;
        setTimeout(() => void runs.note(held, change), 60_000);
        throw new AppError("unavailable", "made up", { cause: "made up" });
      },
    },
  };
  database.add(webhookOf(CLAN, ID));
  answer = () => FAILED;
  const holding = start({ database: late });
  database.append(
    CLAN,
    [1, 2, 3, 4, 5].map((seq) => riseOf(`m${seq}`, seq)),
  );
  await advance(untilSo(() => stateOf() === "failing"));
  answer = () => OK;
  await advance(untilSo(() => stateOf() === "active", 30_000));
  await advance(after(60_000));
  expect(stateOf()).toBe("active");
  await advance(holding.stop());
});

test("of two requests at the same time, the later result decides what is stored of the destination", async () => {
  const { deliveries } = database;
  const slow: FakeDestinations = {
    ...database,
    deliveries: {
      ...deliveries,
      async record(destinationId, results) {
        if (results.some(({ n }) => n === 5)) await after(300);
        return deliveries.record(destinationId, results);
      },
    },
  };
  database.add(webhookOf(CLAN, ID));
  answer = ({ n }) => (n <= 5 && Date.now() < failsUntilMs ? FAILED : OK);
  const failsUntilMs = Date.now() + 900;
  const holding = start({ database: slow });
  const risesOf = (...seqs: number[]) => seqs.map((seq) => riseOf(`m${seq}`, seq));
  database.append(CLAN, risesOf(1, 2, 3, 4));
  await advance(untilSo(() => seen.length === 4));
  // The fifth failure makes it failing, and the delivery after it active.
  database.append(CLAN, risesOf(5, 6));
  await advance(untilSo(() => seen.some(({ seq }) => seq === 6)));
  await advance(after(500));
  expect(stateOf()).toBe("active");
  await advance(holding.stop());
});

test("nothing is sent by a notifier that was frozen while it read, once another one holds the destination", async () => {
  const { feed } = database;
  let frozenUntilMs = 0;
  const thawed = (): Promise<void> => after(Math.max(1, frozenUntilMs - Date.now()));
  const others: ReturnType<typeof start>[] = [];
  const slow: FakeDestinations = {
    ...database,
    feed: {
      ...feed,
      async listErased(clanId, numbers) {
        frozenUntilMs = Date.now() + 30_000;
        others.push(start({ notifierId: "n2" }));
        await thawed();
        return await feed.listErased(clanId, numbers);
      },
    },
  };
  database.add(webhookOf(CLAN, ID));
  answer = () => FAILED;
  const holding = start({
    database: slow,
    eventsMax: 3,
    async call(operation) {
      await thawed();
      return await operation();
    },
  });
  const [first] = database.append(CLAN, [riseOf("a", 1), riseOf("b", 2)]);
  await advance(untilSo(() => seen.length === 2));
  database.erase(CLAN, [first?.n ?? 0]);
  answer = () => OK;
  await advance(untilSo(() => waiting() === 0));
  await advance(after(60_000));
  expect(seen.map(({ seq }) => seq)).toStrictEqual([1, 2, 2]);
  await advance(Promise.all([holding.stop(), ...others.map((one) => one.stop())]));
});
