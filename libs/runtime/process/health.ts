// The state of a process's dependencies: checked at least every second, with the time of the last change.
import { withoutCredentials } from "#runtime/process/credentials.ts";
import type { Clock, Log } from "#runtime/ports.ts";

export type DependencyState = { state: "up" | "down"; since: string; detail?: string };
/** "degraded": the process works, without a dependency that it does not require. */
export type Readiness = "ready" | "degraded" | "not ready";
export type Health = {
  status(): Readiness;
  report(): Record<string, DependencyState>;
  isUp(name: string): boolean;
  stop(): void;
};

/**
 * A check throws, with a reason, while its dependency is not usable. Unless it is `required`, the process works without
 * it.
 */
export type Check = { check: () => Promise<void>; required: boolean };

const CHECK_EVERY_MS = 1_000;
/** While a dependency is down it is checked more often, because the process waits for it. */
const CHECK_DOWN_EVERY_MS = 200;

export function watchHealth({
  checks,
  clock,
  log,
}: {
  checks: Readonly<Record<string, Check>>;
  clock: Clock;
  log: Log;
}): Health {
  const states = new Map<string, DependencyState>();
  for (const name of Object.keys(checks))
    states.set(name, { state: "down", since: clock.now().toISOString(), detail: "not asked yet" });

  let stopped = false;
  async function runCheck(name: string, { check }: Check): Promise<void> {
    const before = states.get(name);
    try {
      await check();
      if (before?.state === "up") return;
      states.set(name, { state: "up", since: clock.now().toISOString() });
      log.info({ dependency: name }, "dependency.up");
    } catch (error) {
      // Everyone who reaches the ops port can read it.
      const detail = withoutCredentials(error instanceof Error ? error.message : String(error));
      const since = before?.state === "down" ? before.since : clock.now().toISOString();
      states.set(name, { state: "down", since, detail });
      // A process that stops closes its connections, also under a check that has begun.
      if (before?.state === "up" && !stopped) log.warn({ dependency: name, err: error }, "dependency.down");
    }
  }

  // Each dependency has its own loop: one that does not respond must not delay the checks of the others.
  const timers = new Set<NodeJS.Timeout>();
  async function keepChecking(name: string, check: Check): Promise<void> {
    await runCheck(name, check);
    if (stopped) return;
    const everyMs = states.get(name)?.state === "up" ? CHECK_EVERY_MS : CHECK_DOWN_EVERY_MS;
    const timer = setTimeout(() => {
      timers.delete(timer);
      void keepChecking(name, check);
    }, everyMs);
    timers.add(timer);
  }
  for (const [name, check] of Object.entries(checks)) void keepChecking(name, check);

  return {
    status() {
      const down = Object.entries(checks).filter(([name]) => states.get(name)?.state !== "up");
      if (down.some(([, { required }]) => required)) return "not ready";
      return down.length > 0 ? "degraded" : "ready";
    },
    report: () => Object.fromEntries(states),
    isUp: (name) => states.get(name)?.state === "up",
    stop() {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
