// Restarts: immediately the first time, then after longer and longer pauses; never after a stop.
import { expect, test } from "vitest";
import { keepAlive } from "../../scripts/supervise/keep-alive.ts";
import type { Running } from "../../scripts/system/watch-child.ts";
import { until } from "../support/until.ts";

/** A child that exits on request. */
function makeChild(pid: number): Running & { die: (how: string) => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { pid, exited: promise, stop: async () => resolve("stopped"), die: resolve };
}

function makeWorld(gaveUp?: (how: string) => boolean) {
  const children: ReturnType<typeof makeChild>[] = [];
  const pids: number[] = [];
  const lines: string[] = [];
  const supervised = keepAlive({
    name: "api",
    start: async (onLaunch) => {
      const child = makeChild(children.length + 1);
      children.push(child);
      onLaunch(child);
    },
    onPid: (pid) => pids.push(pid),
    log: (line) => lines.push(line),
    ...(gaveUp ? { gaveUp } : {}),
  });
  return { children, pids, lines, supervised };
}

test("a child that crashes repeatedly is restarted immediately, then with growing delays", async () => {
  const { children, pids, lines, supervised } = makeWorld();
  await supervised.started;
  for (const count of [1, 2, 3]) {
    children.at(-1)?.die("killed by SIGKILL");
    await until(() => lines.length === count);
    // No clock: the timers of a process end in their order, however long it is paused.
    let isLate = false;
    const timer = setTimeout(() => (isLate = pids.length === count), 2_000);
    await until(() => pids.length === count + 1);
    clearTimeout(timer);
    if (count === 1) expect(isLate).toBe(false);
  }
  expect(pids).toEqual([1, 2, 3, 4]);
  expect(lines.map((line) => line.match(/[\d.]+ s$/)?.[0])).toEqual(["0.2 s", "0.4 s", "0.8 s"]);
  await supervised.stop(0);
});

test("a child that was given up is not started again", async () => {
  const asked: string[] = [];
  const { children, lines, supervised } = makeWorld((how) => asked.push(how) > 1);
  await supervised.started;
  children[0]?.die("killed by SIGKILL");
  await until(() => children.length === 2);
  children[1]?.die("exit code 1");
  await until(() => asked.length === 2);
  await supervised.stop(0);
  expect([children.length, lines.length, asked]).toEqual([2, 1, ["killed by SIGKILL", "exit code 1"]]);
});

test("a stop cancels a pending restart", async () => {
  const { children, lines, supervised } = makeWorld();
  await supervised.started;
  children[0]?.die("exit code 1");
  await until(() => lines.length === 1);
  await supervised.stop(0);
  expect(children.length).toBe(1);
});

test("a stop during a start ends the processes that are being started", async () => {
  const child = makeChild(1);
  const launch = Promise.withResolvers<void>();
  const pids: number[] = [];
  const supervised = keepAlive({
    name: "mongod",
    start: async (onLaunch) => {
      await launch.promise;
      onLaunch(child);
      throw new Error(await child.exited);
    },
    onPid: (pid) => pids.push(pid),
    log: () => {},
  });
  const stopped = supervised.stop(0);
  launch.resolve();
  await stopped;
  expect(await child.exited).toBe("stopped");
  expect(pids).toEqual([]);
});
