// What V8 says of itself, in a process that makes the same kind of object again and again and keeps them all.
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

const PROGRAM = `
  if (process.argv[1] === "kept young") {
    const { disablePretenuring } = await import("./libs/process/garbage-collection.ts");
    disablePretenuring();
  }
  const make = () => ({ parts: [] });
  const kept = [];
  for (let count = 0; count < 500_000; count += 1) kept.push(make());
`;

function madeOld(...args: string[]): boolean {
  const options = ["--trace-pretenuring-statistics", "--input-type=module", "--eval", PROGRAM, ...args];
  return /=> (maybe )?tenure/.test(execFileSync(process.execPath, options, { encoding: "utf8" }));
}

test("Node is started so that V8 does not pretenure objects in the old generation", () => {
  expect(madeOld()).toBe(true);
  expect(madeOld("kept young")).toBe(false);
});

const GROWN = `
  import { getHeapSpaceStatistics } from "node:v8";
  const { collectStartUp } = await import("./libs/process/garbage-collection.ts");
  const young = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size;
  const kept = [];
  for (let count = 0; count < 500_000; count += 1) kept.push({ parts: [] });
  const grown = young();
  kept.length = 0;
  collectStartUp(0);
  // A timer that is set later runs later.
  setTimeout(() => console.log(JSON.stringify({ grown, left: young(), isExposed: "gc" in globalThis })), 0);
`;

test("what a start has left is collected, and the space of young objects shrinks", () => {
  const options = ["--max-semi-space-size=32", "--input-type=module", "--eval", GROWN];
  const { grown, left, isExposed } = JSON.parse(execFileSync(process.execPath, options, { encoding: "utf8" }));
  expect(left).toBeLessThan(grown / 2);
  expect(isExposed).toBe(false);
});
