// Who works on which destination: one process at a time, and none that cannot know it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeSealer } from "#outbound/sealer.ts";
import { systemClock } from "#runtime/process/clock.ts";
import { makeIds } from "#runtime/process/ids.ts";
import { digest } from "#runtime/process/secrets.ts";
import { makeHoldStore } from "#store/destinations/hold-store.ts";
import { makeRunStore } from "#store/destinations/run-store.ts";
import { HOLD_MS } from "#usecases/destinations/bounds.ts";
import { startHoldDestinations, type Holding } from "#usecases/destinations/hold-destinations.ts";
import type { RunDestination } from "#usecases/destinations/deliver-events.ts";
import type { Sealer } from "#usecases/destinations/ports.ts";
import { destinationsIn, notifierSettings, webhookTo } from "../../../support/destinations.ts";
import { silentLog } from "../../../support/silent-log.ts";
import { until } from "../../../support/until.ts";
import { makeWorld, type World } from "../../../support/world.ts";

let world: World;
let clanId: string;
const sealer = makeSealer(notifierSettings.secretsKey ?? "");
const ids = makeIds(systemClock);

beforeAll(async () => {
  world = await makeWorld();
  clanId = (await world.makeClan()).clan.clanId;
});
afterAll(() => world.close());

/** `skipMs`: added to its clock, as for a process that was stopped for so long. */
function hold(options: { sealer?: Sealer | null } = {}): Holding & { ran: string[]; skip(ms: number): void } {
  const ran: string[] = [];
  let skippedMs = 0;
  const untilAborted: RunDestination = (held) => {
    ran.push(held.destination.destinationId);
    return new Promise((resolve) => held.signal.addEventListener("abort", () => resolve("ended"), { once: true }));
  };
  const steadyMs = (): number => performance.now() + skippedMs;
  const holding = startHoldDestinations({
    holds: makeHoldStore(world.database),
    runs: makeRunStore(world.database),
    notifierId: ids.award(),
    sealer: options.sealer === undefined ? sealer : options.sealer,
    runners: {
      webhook: untilAborted,
      discord: untilAborted,
      "roblox-group": untilAborted,
      "discord-roles": untilAborted,
    },
    newToken: ids.award,
    digest,
    clock: { monotonicMs: steadyMs, agingMs: steadyMs },
    log: silentLog,
  });
  return { ...holding, ran, skip: (ms) => void (skippedMs += ms) };
}

test("a process that was stopped for as long as it may hold a destination sends nothing before it knows more", async () => {
  const id = await destinationsIn(world.database).add(clanId, webhookTo("https://example.com/"));
  const holding = hold();
  await until(() => holding.held().length > 0);
  const [held] = holding.held();
  expect([held?.destination.destinationId, held?.isHeld()]).toStrictEqual([id, true]);
  holding.skip(HOLD_MS);
  expect(held?.isHeld()).toBe(false);
  // Nobody has taken it meanwhile, so it goes on.
  await until(() => held?.isHeld());
  await holding.stop();
  await world.database.models.destinations.deleteOne({ _id: id });
});

test("destinations pass to a process that begins, and back when it ends, without a time in which two work on one", async () => {
  const destinations = destinationsIn(world.database);
  // So many that each process has a share of them: their ids decide by chance who works on which.
  const clanIds = await Promise.all(Array.from({ length: 2 }, async () => (await world.makeClan()).clan.clanId));
  const added = await Promise.all(
    clanIds.flatMap((id) => Array.from({ length: 10 }, () => destinations.add(id, webhookTo("https://example.com/")))),
  );
  const first = hold();
  const idsHeldBy = (holding: Holding): string[] =>
    holding
      .held()
      .filter(({ signal, isHeld }) => !signal.aborted && isHeld())
      .map(({ destination }) => destination.destinationId);
  await until(() => idsHeldBy(first).length === added.length);
  const second = hold();
  await until(() => {
    const both = [...idsHeldBy(first), ...idsHeldBy(second)];
    expect(new Set(both).size).toBe(both.length);
    return idsHeldBy(second).length > 0 && both.length === added.length;
  });
  expect(idsHeldBy(first).length).toBeGreaterThan(0);
  await second.stop();
  await until(() => idsHeldBy(first).length === added.length);
  await first.stop();
  await world.database.models.destinations.deleteMany({});
});

test("a destination whose secrets no key opens waits, and is counted", async () => {
  const id = await destinationsIn(world.database).add(clanId, webhookTo("https://example.com/"));
  for (const other of [null, makeSealer(Buffer.alloc(32, 1).toString("base64"))]) {
    const holding = hold({ sealer: other });
    await until(() => holding.undecryptable() === 1);
    expect([holding.held(), holding.ran]).toStrictEqual([[], []]);
    await holding.stop();
  }
  await world.database.models.destinations.deleteOne({ _id: id });
});
