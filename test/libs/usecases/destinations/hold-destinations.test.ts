// What a notifier does not hold; which one holds what is the simulation's.
import { expect, onTestFinished, test, vi } from "vitest";
import { makeSealer } from "#outbound/sealer.ts";
import { systemClock } from "#runtime/process/clock.ts";
import { makeIds } from "#runtime/process/ids.ts";
import { digest } from "#runtime/process/secrets.ts";
import { makeHoldStore } from "#store/destinations/hold-store.ts";
import { makeRunStore } from "#store/destinations/run-store.ts";
import { startHoldDestinations } from "#usecases/destinations/hold-destinations.ts";
import type { RunDestination } from "#usecases/destinations/deliver-events.ts";
import { destinationsIn, webhookTo } from "../../../support/destinations.ts";
import { silentLog } from "../../../support/silent-log.ts";
import { until } from "../../../support/until.ts";
import { makeWorld } from "../../../support/world.ts";

test("a destination whose secrets no key opens waits, and is counted", async () => {
  const world = await makeWorld();
  onTestFinished(() => world.close());
  const { clan } = await world.makeClan();
  await destinationsIn(world.database).add(clan.clanId, webhookTo("https://example.com/"));
  const ids = makeIds(systemClock);
  const run = vi.fn<RunDestination>();
  for (const sealer of [null, makeSealer(Buffer.alloc(32, 1).toString("base64"))]) {
    const holding = startHoldDestinations({
      holds: makeHoldStore(world.database),
      runs: makeRunStore(world.database),
      notifierId: ids.award(),
      sealer,
      runners: { webhook: run, discord: run, "roblox-group": run, "discord-roles": run },
      newToken: ids.award,
      digest,
      clock: systemClock,
      log: silentLog,
    });
    await until(() => holding.undecryptable() === 1);
    expect(holding.held()).toStrictEqual([]);
    await holding.stop();
  }
  expect(run).not.toHaveBeenCalled();
});
