import { expect, test } from "vitest";
import { makeTakeTurn } from "#async/take-turn.ts";

test("work of one requester is done one after another, failed work too, and others do not wait for it", async () => {
  const takeTurn = makeTakeTurn({ restsPerTurn: 3 });
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const calls = [
    takeTurn("one", async () => {
      await first.promise;
      done.push("first");
      throw new Error("not found");
    }),
    takeTurn("one", () => done.push("second")),
    takeTurn("one", async () => done.push("third")),
  ];
  await takeTurn("two", () => done.push("other"));
  first.resolve();
  expect((await Promise.allSettled(calls)).map(({ status }) => status)).toStrictEqual([
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
  expect(done).toStrictEqual(["other", "first", "second", "third"]);
});
