// The state of a process's dependencies: checked at intervals and when somebody asks, with the time of the last change.
import { pause } from "#async/pause.ts";
import { repeat } from "#async/repeat.ts";
import { withoutCredentials } from "#process/credentials.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";

export type DependencyState = { state: "up" | "down"; since: string; detail?: string };
/** "degraded": the process works, without a dependency that it does not require. */
export type Readiness = "ready" | "degraded" | "not ready";
export type Health = {
  /** Resolves when the states are of the last second, or soon: a dependency that does not respond is not waited for. */
  refresh(): Promise<void>;
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

/** While nobody asks. Checks wake every process and both servers, and follow a Redis that was replaced within 5 s. */
const CHECK_EVERY_MS = 5_000;
/** Who asks gets a state that is not older. */
const FRESH_MS = 1_000;
const REFRESH_MS_MAX = 500;
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
  const loops = Object.entries(checks).map(([name, check]) => {
    let running: Promise<void> | null = null;
    let checkedAtMs = -Infinity;
    const run = (): Promise<void> => {
      running = runCheck(name, check).finally(() => (checkedAtMs = clock.monotonicMs()));
      return running;
    };
    const everyMs = (): number => (states.get(name)?.state === "up" ? CHECK_EVERY_MS : CHECK_DOWN_EVERY_MS);
    const loop = repeat(everyMs, run, (error) =>
      log.error({ dependency: name, err: error }, "dependency.check_failed"),
    );
    loop.now();
    return {
      stop: loop.stop,
      async refresh(): Promise<void> {
        if (clock.monotonicMs() - checkedAtMs > FRESH_MS) loop.now();
        await running;
      },
    };
  });

  return {
    status() {
      const down = Object.entries(checks).filter(([name]) => states.get(name)?.state !== "up");
      if (down.some(([, { required }]) => required)) return "not ready";
      return down.length > 0 ? "degraded" : "ready";
    },
    refresh: () =>
      Promise.race([Promise.all(loops.map(({ refresh }) => refresh())), pause(REFRESH_MS_MAX)]).then(() => {}),
    report: () => Object.fromEntries(states),
    isUp: (name) => states.get(name)?.state === "up",
    stop() {
      stopped = true;
      for (const loop of loops) void loop.stop();
    },
  };
}
