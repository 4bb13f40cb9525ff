// When something is tried again, when a destination is only probed, and when it is disabled, with the default times.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideHealth, healthAfter, retryInMs, type Health, type Outcome } from "#delivery/health.ts";

const HOUR_MS = 3_600_000;
const RETRY_MS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((s) => s * 1_000);
const schedule = {
  probeMs: [10, 30, 60, 120, 300, 600].map((s) => s * 1_000),
  disableAfterMs: 120 * HOUR_MS,
};
const start = new Date("2026-11-20T12:00:00Z");
const run = { failures: 0, probes: 0, nextProbeAt: null, restUntil: null, fullSyncAt: null, syncedAt: null };
const healthy: Health = { state: "active", since: start, ...run };
const FAILED = { kind: "failed", fault: "status 500." } as const;
const STOPPED = { kind: "stopped", fault: "Rejected." } as const;
const WORKS = { kind: "works" } as const;
const REFUSED = { kind: "refused" } as const;

/** Each is a probe if the destination is failing, unless said otherwise. */
function decide(health: Health, outcome: Outcome, { now = start, isProbe = health.state === "failing" } = {}) {
  return decideHealth(health, outcome, { schedule, now, isProbe });
}
const after = (health: Health, ...outcomes: Outcome[]): Health =>
  outcomes.reduce((known, outcome) => healthAfter(known, decide(known, outcome)), health);

const failing = after(healthy, FAILED, FAILED, FAILED, FAILED, FAILED);
const msUntil = (time: Date | null | undefined): number | null => (time ? time.getTime() - start.getTime() : null);

test("a unit of work is tried nine times more, each up to 20 % later", () => {
  expect(RETRY_MS.map((_, tried) => retryInMs(tried, RETRY_MS, () => 0))).toStrictEqual(RETRY_MS);
  for (const [tried, ms] of RETRY_MS.entries()) {
    expect(retryInMs(tried, RETRY_MS, () => 0.999)).toBeLessThan(ms * 1.2);
    expect(retryInMs(tried, RETRY_MS, () => 0.999)).toBeGreaterThan(ms * 1.19);
  }
  expect(retryInMs(9, RETRY_MS, () => 0)).toBeNull();
});

describe("a destination", () => {
  test("rests for the longest time that requests in flight together were asked for", () => {
    const rest = (forMs: number) => ({ kind: "rest", forMs }) as const;
    expect(msUntil(after(healthy, rest(2_000), rest(500)).restUntil)).toBe(2_000);
    expect(msUntil(after(healthy, rest(2_000), rest(500), rest(3_000)).restUntil)).toBe(3_000);
  });

  test("fails after five failures in a row, and not if one success is between them", () => {
    expect(after(healthy, FAILED, FAILED, FAILED, FAILED).state).toBe("active");
    expect(after(healthy, FAILED, FAILED, FAILED, FAILED, WORKS, FAILED).state).toBe("active");
    expect(after(healthy, FAILED, FAILED, FAILED, FAILED, REFUSED, FAILED).state).toBe("failing");
    expect(failing).toMatchObject({ state: "failing", since: start, failures: 5 });
    expect(msUntil(failing.nextProbeAt)).toBe(10_000);
    // One that was in flight is no probe.
    expect(decide(failing, FAILED, { isProbe: false }).change).toStrictEqual({ failures: 6 });
  });

  test("fails immediately if no request can succeed, with the reason", () => {
    const { change, disable } = decide(healthy, STOPPED);
    expect(change).toMatchObject({ state: "failing", stateReason: "Rejected.", since: start, probes: 0 });
    expect([msUntil(change.nextProbeAt), disable]).toStrictEqual([10_000, null]);
  });

  test.each([FAILED, STOPPED, REFUSED])(
    "is probed after 10 s, 30 s, 1, 2, 5, then every 10 minutes: $kind",
    (outcome) => {
      let health = failing;
      const waits = [msUntil(health.nextProbeAt)];
      for (let probes = 1; probes < 9; probes += 1) {
        health = after(health, outcome);
        waits.push(msUntil(health.nextProbeAt));
      }
      expect(waits.map((ms) => (ms ?? 0) / 1_000)).toStrictEqual([10, 30, 60, 120, 300, 600, 600, 600, 600]);
      expect(health).toMatchObject({ state: "failing", since: start });
    },
  );

  test("is active again after the first success, with nothing of the failures left", () => {
    const now = new Date(start.getTime() + HOUR_MS);
    const { change } = decide(after(failing, FAILED), WORKS, { now });
    expect(change).toStrictEqual({
      state: "active",
      stateReason: null,
      since: now,
      failures: 0,
      probes: 0,
      nextProbeAt: null,
    });
  });

  test("is disabled by a failed probe after 120 h, and not before; what arrives later changes nothing", () => {
    const decideAfter = (ms: number) => decide(failing, FAILED, { now: new Date(start.getTime() + ms) });
    expect(decideAfter(120 * HOUR_MS - 1).disable).toBeNull();
    const over = decideAfter(120 * HOUR_MS);
    expect(over.disable).toBe(
      "It has failed for 120 h, most recently with: status 500. Once this is repaired, resume the destination.",
    );
    expect(after(healthAfter(failing, over), WORKS).state).toBe("disabled");
    expect(after(healthy, { kind: "disable", reason: "410" }).state).toBe("disabled");
  });

  test("that is failing has a time for its next probe, whatever happens", () => {
    const outcomes = fc.constantFrom<Outcome>(FAILED, STOPPED, WORKS, REFUSED, { kind: "rest", forMs: 1_000 });
    fc.assert(
      fc.property(fc.array(outcomes, { maxLength: 30 }), fc.array(fc.boolean()), (all, isProbes) => {
        let health = healthy;
        for (const [index, outcome] of all.entries()) {
          const isProbe = health.state === "failing" && (isProbes[index] ?? true);
          health = healthAfter(health, decide(health, outcome, { isProbe }));
          expect(health.nextProbeAt !== null).toBe(health.state === "failing");
        }
      }),
    );
  });
});
