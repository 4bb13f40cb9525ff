import { describe, expect, test } from "vitest";
import { preferredWaitMs } from "#contract/prefer.ts";
import { expectResponse } from "../../support/responses.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { useApi } from "../../support/use-api.ts";

const awards = [{ platformId: "m", amount: 5 }];
/** Less than the 9 s that the last of these headers names second, and than the 10 s without one. */
const AT_MOST_MS = 8_900;

test.each(["wait=30", "wait=31", "wait=999999999999"])("Prefer: %s waits for 30 s, the maximum", (prefer) => {
  expect(preferredWaitMs(prefer, { defaultMs: 10_000, maxMs: 30_000 })).toBe(30_000);
});

describe.concurrent("while no worker runs, Prefer:", async () => {
  const { world, port } = await useApi();

  const waits: [string, number][] = [
    ["wait=0", 0],
    ["Respond-Async", 0],
    ["respond-async; x=1, return=minimal", 0],
    ['Wait="1"', 1_000],
    ["respond-async, wait=1", 1_000],
    ["return=minimal; x, wait=1, wait=9", 1_000],
  ];
  test.for(waits)("%s returns 202 after %d ms", async ([prefer, atLeastMs]) => {
    const clan = await makeClanCaller(world, port);
    const startedAtMs = performance.now();
    expectResponse("submit-batch", await clan.submit(awards, { prefer }), 202);
    const tookMs = performance.now() - startedAtMs;
    // Timers may fire a moment early.
    expect(tookMs).toBeGreaterThanOrEqual(atLeastMs - 10);
    expect(tookMs).toBeLessThan(AT_MOST_MS);
  });

  test("is optional, and without it the API returns 202 after 10 s", async () => {
    const clan = await makeClanCaller(world, port);
    const startedAtMs = performance.now();
    expectResponse("submit-batch", await clan.submit(awards), 202);
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(9_990);
  });
});

describe.concurrent("while a worker runs, Prefer:", async () => {
  const { world, port } = await useApi({ worker: true });

  const passedOver = ["", "wait", "wait=", "wait=-1", "wait=1.5", "handling=lenient", ",;=", "x".repeat(2_000)];
  test.for(passedOver)("%s does not prevent a 200 response", async (prefer) => {
    const clan = await makeClanCaller(world, port);
    expect(expectResponse("submit-batch", await clan.submit(awards, { prefer })).applied).toBe(1);
  });
});
