// The clock of a process whose machine is suspended: the wall clock jumps forward, and the steady clock does not.
import { expect, test } from "vitest";
import { makeTtlCache } from "#async/ttl-cache.ts";
import { makeClock } from "#process/clock.ts";

function clocks() {
  let [wallMs, steadyMs] = [1e12, 5_000];
  const clock = makeClock({ wallMs: () => wallMs, steadyMs: () => steadyMs });
  return {
    clock,
    pass(ms: number): void {
      wallMs += ms;
      steadyMs += ms;
    },
    /** The machine is suspended, or somebody sets its clock. */
    jump: (ms: number) => void (wallMs += ms),
  };
}

test("nothing that was cached before the machine was suspended is used after it", async () => {
  const { clock, pass, jump } = clocks();
  let reads = 0;
  const load = async (): Promise<Map<string, number>> => new Map([["key", (reads += 1)]]);
  const cache = makeTtlCache({ load, ageMaxMs: 500, sizeMax: 1, clock });
  expect(await cache.get("key")).toBe(1);
  pass(400);
  expect(await cache.get("key")).toBe(1);
  jump(10_000);
  expect(await cache.get("key")).toBe(2);
});

test("the age of what was read is never less than the time that has passed, however the wall clock is set", () => {
  const { clock, pass, jump } = clocks();
  const steps = [50, 3_600_000, -7_200_000, 80, 80, 80, -1, 600_000, -600_000];
  for (const ms of steps) {
    const [agedMs, steadyMs] = [clock.agingMs(), clock.monotonicMs()];
    jump(ms);
    pass(1_000);
    const passedMs = 1_000 + (ms > 100 ? ms : 0);
    expect(clock.agingMs() - agedMs).toBeGreaterThanOrEqual(passedMs);
    expect(clock.monotonicMs() - steadyMs).toBe(1_000);
  }
});

test("small jumps add up to age, so that many short suspensions count like a long one", () => {
  const { clock, jump } = clocks();
  const agedMs = clock.agingMs();
  for (let times = 0; times < 20; times += 1) {
    jump(60);
    clock.agingMs();
  }
  expect(clock.agingMs() - agedMs).toBeGreaterThanOrEqual(20 * 60 - 100);
});
