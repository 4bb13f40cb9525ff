// Runs that callers share.
import { expect, test } from "vitest";
import { shareRuns } from "#async/share-runs.ts";

test("callers share the run of their id that is under way, and the next one begins another, also after a failure", async () => {
  const runs: string[] = [];
  const ends: PromiseWithResolvers<string>[] = [];
  const run = shareRuns((id: string, by: string) => {
    runs.push(`${id} by ${by}`);
    const end = Promise.withResolvers<string>();
    ends.push(end);
    return end.promise;
  });
  const shared = [run("a", "one"), run("a", "two"), run("b", "three")];
  ends[0]?.reject(new Error("lost"));
  ends[1]?.resolve("done");
  expect((await Promise.allSettled(shared)).map(({ status }) => status)).toStrictEqual([
    "rejected",
    "rejected",
    "fulfilled",
  ]);
  const again = run("a", "four");
  ends[2]?.resolve("again");
  expect(await again).toBe("again");
  expect(runs).toStrictEqual(["a by one", "b by three", "a by four"]);
});
