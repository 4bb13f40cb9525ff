// What a process says about its dependencies while it stops.
import { expect, test } from "vitest";
import { systemClock } from "#runtime/process/clock.ts";
import { watchHealth } from "#runtime/process/health.ts";
import type { Log } from "#runtime/ports.ts";

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
  const health = watchHealth({ checks: { mongo: { check, required: true } }, clock: systemClock, log });
  await begun.promise;
  health.stop();
  closing.reject(new Error("client was closed"));
  await expect.poll(() => health.isUp("mongo")).toBe(false);
  expect(logged).toStrictEqual(["dependency.up"]);
});
