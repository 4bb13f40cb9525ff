// When a process checks its dependencies, and what it says about them while it stops.
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "#process/clock.ts";
import { watchHealth } from "#process/health.ts";
import type { Log } from "#kernel/log.ts";

const silent = () => {};
const silentLog = { info: silent, warn: silent, error: silent, debug: silent } as unknown as Log;
let nowMs = 0;
/** What was checked is never of the last second. */
const laterEachTime = { ...systemClock, monotonicMs: () => (nowMs += 1_500) };

test("who asks for the state of a dependency has it checked, unless that was done within the last second", async () => {
  const checks = { old: 0, fresh: 0 };
  const checkOf = (name: keyof typeof checks) => ({ check: async () => void (checks[name] += 1), required: true });
  const old = watchHealth({ checks: { mongo: checkOf("old") }, clock: laterEachTime, log: silentLog });
  const fresh = watchHealth({ checks: { mongo: checkOf("fresh") }, clock: systemClock, log: silentLog });
  onTestFinished(() => [old, fresh].forEach((health) => health.stop()));
  // The first one waits for the check of the start.
  for (let asked = 0; asked < 3; asked += 1) await Promise.all([old.refresh(), fresh.refresh()]);
  expect(checks).toStrictEqual({ old: 3, fresh: 1 });
});

test("a dependency that does not respond delays nobody who asks, and is shown as before until its check ends", async () => {
  const never = Promise.withResolvers<void>();
  let checks = 0;
  const check = (): Promise<void> => ((checks += 1) === 1 ? Promise.resolve() : never.promise);
  const health = watchHealth({ checks: { mongo: { check, required: true } }, clock: laterEachTime, log: silentLog });
  onTestFinished(() => health.stop());
  await expect.poll(() => health.isUp("mongo")).toBe(true);
  const beganAtMs = performance.now();
  await health.refresh();
  expect(performance.now() - beganAtMs).toBeLessThan(1_000);
  expect(health.status()).toBe("ready");
  never.reject(new Error("it is away"));
  await expect.poll(() => health.status()).toBe("not ready");
});

test("a check that a stop interrupts logs no dependency as down", async () => {
  const logged: string[] = [];
  const note = (_fields: object, event: string) => void logged.push(event);
  const log = { trace: note, debug: note, info: note, warn: note, error: note, fatal: note } as unknown as Log;
  const begun = Promise.withResolvers<void>();
  const closing = Promise.withResolvers<void>();
  let checks = 0;
  async function check(): Promise<void> {
    checks += 1;
    if (checks === 1) return;
    begun.resolve();
    await closing.promise;
  }
  const health = watchHealth({ checks: { mongo: { check, required: true } }, clock: laterEachTime, log });
  await expect.poll(() => health.isUp("mongo")).toBe(true);
  void health.refresh();
  await begun.promise;
  health.stop();
  closing.reject(new Error("client was closed"));
  await expect.poll(() => health.isUp("mongo")).toBe(false);
  expect(logged).toStrictEqual(["dependency.up"]);
});
