import { expect, test } from "vitest";
import { makeTtlCache } from "#async/ttl-cache.ts";

const AGE_MAX_MS = 100;

/** Of the ids that are not "none". `reads`: the ids of each read. */
function makeCounted({ sizeMax = 10 }: { sizeMax?: number } = {}) {
  const now = { ms: 0 };
  const reads: (readonly string[])[] = [];
  const failure: { error: Error | null } = { error: null };
  const cache = makeTtlCache({
    async load(ids) {
      reads.push(ids);
      if (failure.error) throw failure.error;
      return new Map(ids.filter((id) => id !== "none").map((id) => [id, `${id} ${reads.length}`]));
    },
    ageMaxMs: AGE_MAX_MS,
    sizeMax,
    clock: { agingMs: () => now.ms },
  });
  return { cache, now, reads, failure };
}

test("a cached value, and its absence, is read again once it is older than its maximum age", async () => {
  const { cache, now, reads } = makeCounted();
  const both = async () => [await cache.get("a"), await cache.get("none")];
  expect(await both()).toStrictEqual(["a 1", undefined]);
  now.ms = AGE_MAX_MS;
  expect(await both()).toStrictEqual(["a 1", undefined]);
  expect(reads).toHaveLength(2);
  now.ms += 1;
  expect(await both()).toStrictEqual(["a 3", undefined]);
  expect(reads).toHaveLength(4);
});

test("callers at the same time share a read, and only what is not cached is read", async () => {
  const { cache, reads } = makeCounted();
  await Promise.all([cache.get("a"), cache.get("a"), cache.getMany(["a"])]);
  expect(await cache.getMany(["a", "b", "none"])).toStrictEqual(
    new Map([
      ["a", "a 1"],
      ["b", "b 2"],
    ]),
  );
  expect(reads).toStrictEqual([["a"], ["b", "none"]]);
});

test("a forgotten value is read again, and one whose read had begun before is not cached", async () => {
  const { cache, reads } = makeCounted();
  const before = cache.get("a");
  cache.forget("a");
  expect([await cache.get("a"), await before]).toStrictEqual(["a 2", "a 1"]);
  expect(await cache.get("a")).toBe("a 2");
  expect(reads).toHaveLength(2);
});

test("a failed read reaches its callers, and the next one reads again", async () => {
  const { cache, reads, failure } = makeCounted();
  failure.error = new Error("made up");
  await expect(Promise.all([cache.get("a"), cache.getMany(["b"])])).rejects.toThrow("made up");
  failure.error = null;
  expect(await cache.get("a")).toBe("a 3");
  expect(reads).toHaveLength(3);
});

test("a full cache returns all values that are requested together, although it drops the oldest of them", async () => {
  const { cache } = makeCounted({ sizeMax: 2 });
  await cache.getMany(["a", "b"]);
  expect([...(await cache.getMany(["a", "b", "c"])).keys()]).toStrictEqual(["a", "b", "c"]);
  expect([...(await cache.getMany(["d", "e", "f"])).keys()]).toStrictEqual(["d", "e", "f"]);
});
