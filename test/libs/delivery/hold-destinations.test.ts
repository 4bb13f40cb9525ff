// What a notifier does not hold, and what it stops; which one holds what is the simulation's.
import { expect, onTestFinished, test, vi } from "vitest";
import { makeSealer } from "#delivery/couriers/sealer.ts";
import { systemClock } from "#process/clock.ts";
import { makeIds } from "#process/ids.ts";
import { digest } from "#process/secrets.ts";
import type { Log } from "#kernel/log.ts";
import { makeHoldStore } from "#delivery/store/hold-store.ts";
import { makeRunStore } from "#delivery/store/run-store.ts";
import { startHoldDestinations, type HoldDeps } from "#delivery/hold-destinations.ts";
import type { RunDestination } from "#delivery/run-while-held.ts";
import { destinationsIn, notifierSettings, webhookTo } from "../../support/destinations.ts";
import { silentLog } from "../../support/silent-log.ts";
import { until } from "../../support/until.ts";
import { makeWorld } from "../../support/world.ts";

const ids = makeIds(systemClock);

/** A world with a clan, and a way to start notifiers in it, whose destinations all have this runner. */
async function holdersOf(run: RunDestination) {
  const world = await makeWorld();
  onTestFinished(() => world.close());
  const { clanId } = (await world.makeClan()).clan;
  const destinations = destinationsIn(world.database);
  const start = (sealer: HoldDeps["sealer"], log: Log = silentLog) =>
    startHoldDestinations({
      holds: makeHoldStore(world.database),
      runs: makeRunStore(world.database),
      notifierId: ids.award(),
      sealer,
      runners: { webhook: run, discord: run, "roblox-group": run, "discord-roles": run },
      newToken: ids.award,
      digest,
      clock: systemClock,
      log,
    });
  return { destinations, add: (url: string) => destinations.add(clanId, webhookTo(url)), start };
}

test("a destination whose secrets no key opens waits, and is counted", async () => {
  const run = vi.fn<RunDestination>();
  const { add, start } = await holdersOf(run);
  await add("https://example.com/");
  for (const sealer of [null, makeSealer(Buffer.alloc(32, 1).toString("base64"))]) {
    const holding = start(sealer);
    await until(() => holding.undecryptable() === 1);
    expect(holding.held()).toStrictEqual([]);
    await holding.stop();
  }
  expect(run).not.toHaveBeenCalled();
});

test("a bug stops the one destination that has it, which fails visibly, and no other", async () => {
  const running = new Set<string>();
  const { destinations, add, start } = await holdersOf(async ({ destination: { destinationId }, signal }) => {
    if (destinationId === broken[0]) throw new TypeError("made up");
    running.add(destinationId);
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return "ended";
  });
  const broken = [await add("https://example.com/broken"), await add("https://example.com/unreadable")];
  const others = [await add("https://example.com/1"), await add("https://example.com/2")];
  const sealer = makeSealer(notifierSettings.secretsKey ?? "");
  const open: typeof sealer.open = (sealed, id) => (id === broken[1] ? "no JSON" : sealer.open(sealed, id));
  const errors: [object, string][] = [];
  const holding = start(
    { ...sealer, open },
    { ...silentLog, error: (fields, event) => void errors.push([fields, event]) },
  );
  onTestFinished(() => holding.stop());
  for (const id of broken) {
    const { stateReason } = await destinations.untilIs(id, ({ state }) => state === "failing");
    expect(stateReason).toContain("A fault of Clan XP has stopped it");
  }
  await until(() => others.every((id) => running.has(id)));
  const error = (destinationId: string) => [expect.objectContaining({ destinationId }), "destination.run_failed"];
  expect(errors).toHaveLength(2);
  expect(errors).toStrictEqual(expect.arrayContaining(broken.map(error)));
  for (const id of others) expect((await destinations.store.read(id))?.destination.state).toBe("active");
});
