import { expect, test } from "vitest";
import { expectResponse } from "../../support/responses.ts";
import { useApi } from "../../support/use-api.ts";
import { until } from "../../support/until.ts";

const { world, clan } = await useApi();

test("workers are throttled only while single awards arrive", async () => {
  const { opsPort } = await world.startWorker();
  const throttled = async (): Promise<string | undefined> => {
    const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
    return /^clanxp_worker_throttled\{[^}]*\} (\S+)$/m.exec(metrics)?.[1];
  };
  expect(await throttled()).toBe("0");
  // Each one again: a claim ends after 2 s, and a worker that was paused meanwhile would not see the first.
  await until(async () => {
    expectResponse("apply-award", await clan.award("m", { amount: 1 }), 200);
    return (await throttled()) === "1";
  });
  await until(async () => (await throttled()) === "0");
});
