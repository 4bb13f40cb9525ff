import { afterEach, beforeEach, expect, test } from "vitest";
import { expectResponse } from "../../support/responses.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { makeWorld, type World } from "../../support/world.ts";
import { until } from "../../support/until.ts";

let world: World;
let clan: ClanCaller;
let throttled: () => Promise<string | undefined>;
beforeEach(async () => {
  world = await makeWorld();
  const [api, worker] = await Promise.all([world.startApi(), world.startWorker()]);
  clan = await makeClanCaller(world, api.port);
  throttled = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${worker.opsPort}/metrics`)).text();
    return /^clanxp_worker_throttled\{[^}]*\} (\S+)$/m.exec(metrics)?.[1];
  };
});
afterEach(() => world.close());

test("workers are throttled only while single awards arrive", async () => {
  expect(await throttled()).toBe("0");
  // Each one again: a claim ends after 2 s, and a worker that was paused meanwhile would not see the first.
  await until(async () => {
    expectResponse("apply-award", await clan.award("m", { amount: 1 }), 200);
    return (await throttled()) === "1";
  });
  await until(async () => (await throttled()) === "0");
});
