import { expect, test } from "vitest";
import { coalesceReads } from "#async/coalesce-reads.ts";

test("one read is in progress, and those that wait share the next ones, up to their bounds", async () => {
  const reads: { ids: readonly string[]; end: PromiseWithResolvers<void> }[] = [];
  const read = coalesceReads({
    async read(ids) {
      const end = Promise.withResolvers<void>();
      reads.push({ ids, end });
      await end.promise;
      return new Map(ids.map((id) => [id, id.toUpperCase()]));
    },
    idsPerReadMax: 2,
    waitingMax: 3,
  });
  const first = read("a");
  const waiting = [read("b"), read("b"), read("c")];
  await expect(read("d")).rejects.toMatchObject({ code: "busy" });
  const endNext = async (ids: readonly string[]): Promise<void> => {
    await expect.poll(() => reads.at(-1)?.ids).toStrictEqual(ids);
    reads.at(-1)?.end.resolve();
  };
  await endNext(["a"]);
  expect(await first).toBe("A");
  await endNext(["b"]);
  await endNext(["c"]);
  expect(await Promise.all(waiting)).toStrictEqual(["B", "B", "C"]);
  expect(reads).toHaveLength(3);
});

test("a failed read fails for those who share it, and for no others", async () => {
  let reads = 0;
  const read = coalesceReads<string>({
    async read(ids) {
      reads += 1;
      if (reads === 2) throw new Error("made up");
      return new Map(ids.map((id) => [id, id]));
    },
    idsPerReadMax: 1,
    waitingMax: 9,
  });
  const settled = await Promise.allSettled(["a", "b", "c"].map(read));
  expect(settled.map(({ status }) => status)).toStrictEqual(["fulfilled", "rejected", "fulfilled"]);
});
