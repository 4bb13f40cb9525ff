// When an event is tried again, when a destination is only probed, and when it is disabled, with the default times.
import { describe, expect, test } from "vitest";
import { decideAttempt, type Running, type Schedule } from "#usecases/destinations/decide-attempt.ts";
import type { Verdict } from "#usecases/destinations/ports.ts";

const HOUR_MS = 3_600_000;
const schedule: Schedule = {
  retryMs: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((s) => s * 1_000),
  probeMs: [10, 30, 60, 120, 300, 600].map((s) => s * 1_000),
  disableAfterMs: 120 * HOUR_MS,
};
const start = new Date("2026-11-20T12:00:00Z");
const healthy: Running = {
  state: "active",
  since: start,
  run: { failures: 0, probes: 0, nextProbeAt: null, restUntil: null, fullSyncAt: null, syncedAt: null },
};
const FAILED = { kind: "failed" } as const;

function decide(running: Running, verdict: Verdict, { isProbe = false, now = start, random = 0 } = {}) {
  return decideAttempt(running, { verdict, isProbe, fault: "status 500" }, { schedule, now, random: () => random });
}

/** The destination after a decision. */
function after({ since, run }: Running, { change }: ReturnType<typeof decide>, state: Running["state"]): Running {
  const { state: _state, stateReason: _reason, since: changedAt = since, lastDeliveredAt: _at, ...ofRun } = change;
  return { state, since: changedAt, run: { ...run, ...ofRun } };
}

const msUntil = (time: Date | null | undefined): number | null => (time ? time.getTime() - start.getTime() : null);

describe("an event", () => {
  test("is tried nine times more, each up to 20 % later, and has failed then", () => {
    const waits = [0, 0.999].map((random) =>
      Array.from({ length: 10 }, (_, tried) => decide(healthy, FAILED, { random }).delivery(tried)),
    );
    for (const [index, ms] of schedule.retryMs.entries()) {
      expect(msUntil(waits[0]?.[index]?.nextAt)).toBe(ms);
      expect(msUntil(waits[1]?.[index]?.nextAt)).toBeLessThan(ms * 1.2);
    }
    expect(waits.map((all) => all.map(({ state }) => state))).toStrictEqual(
      Array.from({ length: 2 }, () => [...Array.from({ length: 9 }, () => "waiting"), "failed"]),
    );
  });

  test.for<[string, Verdict, object]>([
    ["delivered", { kind: "delivered" }, { state: "delivered", counts: true }],
    ["rejected for good", { kind: "refused" }, { state: "failed", counts: true }],
    ["asked to rest", { kind: "rest", forMs: 1_000 }, { state: "waiting", counts: false, nextAt: null }],
    ["that disables its destination", { kind: "disable", reason: "410" }, { state: "waiting", counts: false }],
  ])("%s", ([, verdict, expected]) => {
    expect(decide(healthy, verdict).delivery(3)).toMatchObject(expected);
  });
});

describe("a destination", () => {
  /** After five failures in a row. */
  function failing(): Running {
    let running = healthy;
    for (let failures = 1; failures <= 5; failures += 1) {
      const decision = decide(running, FAILED);
      expect(decision.change.state).toBe(failures === 5 ? "failing" : undefined);
      running = after(running, decision, failures === 5 ? "failing" : "active");
    }
    return running;
  }

  test("rests for the longest time that requests in flight together were asked for", () => {
    const long = after(healthy, decide(healthy, { kind: "rest", forMs: 2_000 }), "active");
    const both = after(long, decide(long, { kind: "rest", forMs: 500 }), "active");
    expect(msUntil(both.run.restUntil)).toBe(2_000);
    expect(msUntil(decide(both, { kind: "rest", forMs: 3_000 }).change.restUntil)).toBe(3_000);
  });

  test("fails after five failures in a row, and not if one success is between them", () => {
    let running = healthy;
    for (const verdict of [FAILED, FAILED, FAILED, FAILED, { kind: "delivered" } as const, FAILED]) {
      const decision = decide(running, verdict);
      expect(decision.change.state).toBeUndefined();
      running = after(running, decision, "active");
    }
    expect(failing().run.nextProbeAt).toStrictEqual(new Date(start.getTime() + 10_000));
  });

  test("is probed after 10 s, 30 s, 1, 2, 5, and then every 10 minutes, and no attempt is used up", () => {
    let running = failing();
    const waits = [10_000];
    for (let probes = 1; probes < 9; probes += 1) {
      const decision = decide(running, FAILED, { isProbe: true });
      expect(decision.delivery(3)).toMatchObject({ state: "waiting", counts: false });
      waits.push(msUntil(decision.change.nextProbeAt) ?? 0);
      running = after(running, decision, "failing");
    }
    expect(waits.map((ms) => ms / 1_000)).toStrictEqual([10, 30, 60, 120, 300, 600, 600, 600, 600]);
  });

  test("is active again after the first success, with nothing of the failures left", () => {
    const now = new Date(start.getTime() + HOUR_MS);
    const decision = decide(failing(), { kind: "delivered" }, { isProbe: true, now });
    expect(decision.change).toMatchObject({ state: "active", stateReason: null, since: now, failures: 0, probes: 0 });
    expect(decision.change.nextProbeAt).toBeNull();
  });

  test("is disabled by a failed probe after 120 h, and not before", () => {
    const disabledAfter = (ms: number): string | null =>
      decide(failing(), FAILED, { isProbe: true, now: new Date(start.getTime() + ms) }).disable;
    expect(disabledAfter(120 * HOUR_MS - 1)).toBeNull();
    expect(disabledAfter(120 * HOUR_MS)).toContain("120 h");
  });
});
