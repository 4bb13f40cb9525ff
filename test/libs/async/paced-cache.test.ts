import { expect, test } from "vitest";
import { makePacedCache } from "#async/paced-cache.ts";

/** A load takes 10 ms of its clock, in two steps; then its value is fresh for 100 ms, and usable for 200. */
function makeCounted() {
  const now = { ms: 0 };
  const loads: string[] = [];
  const busyTimes: number[] = [];
  const failure: { error: Error | null } = { error: null };
  const get = makePacedCache({
    async load(id, run) {
      loads.push(id);
      for (let step = 0; step < 2; step += 1) await run(async () => void (now.ms += 5));
      if (failure.error) throw failure.error;
      return `${id} ${loads.length}`;
    },
    agesOf(_, busyMs) {
      busyTimes.push(busyMs);
      return { refreshMs: 100, expireMs: 200 };
    },
    sizeMax: 10,
    clock: { agingMs: () => now.ms },
  });
  return { get, now, loads, busyTimes, failure };
}

test("callers at the same time share a load, and its value serves until it is to be loaded again", async () => {
  const { get, now, loads, busyTimes } = makeCounted();
  expect(await Promise.all([get("a"), get("a"), get("b")])).toStrictEqual(["a 2", "a 2", "b 2"]);
  now.ms = 100;
  expect(await get("a")).toBe("a 2");
  expect(loads).toStrictEqual(["a", "b"]);
  expect(busyTimes).toHaveLength(2);
});

test("a value that is to be loaded again serves meanwhile; an expired one does not", async () => {
  const { get, now, loads } = makeCounted();
  await get("a");
  now.ms = 150;
  expect(await get("a")).toBe("a 1");
  expect(await get("a")).toBe("a 1");
  await expect.poll(() => get("a")).toBe("a 2");
  expect(loads).toHaveLength(2);
  now.ms += 500;
  expect(await get("a")).toBe("a 3");
});

test("a failed load is that of its callers only, and is tried again", async () => {
  const { get, now, failure, loads } = makeCounted();
  failure.error = new Error("down");
  await expect(get("a")).rejects.toThrow("down");
  failure.error = null;
  expect(await get("a")).toBe("a 2");
  failure.error = new Error("down");
  now.ms += 150;
  expect(await get("a")).toBe("a 2");
  await expect.poll(() => loads.length).toBe(3);
  now.ms += 500;
  await expect(get("a")).rejects.toThrow("down");
});
