// The lock: at most one live holder, and a dead one is never in the way.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tryLock } from "../../scripts/system/lock.js";
import { tempDir } from "../support/temp-dir.ts";

const lockModule = join(import.meta.dirname, "../../scripts/system/lock.js");
const PROCESSES = 4;
const ROUNDS = 15;

function held(answer: ReturnType<typeof tryLock>): { release: () => void } {
  if ("holderPid" in answer) throw new Error(`held by ${answer.holderPid}`);
  return answer;
}

test("a second holder is rejected, with the name of the first one", () => {
  const path = join(tempDir(), "lock");
  const first = held(tryLock(path));
  expect(tryLock(path)).toEqual({ holderPid: process.pid });
  first.release();
  held(tryLock(path)).release();
});

test.each([
  ["of a process that has exited", JSON.stringify({ pid: 2 ** 22 + 1, startTime: "boot/1" })],
  [
    "of an earlier process with a pid that is in use again",
    JSON.stringify({ pid: process.pid, startTime: "earlier boot/1" }),
  ],
  ["without content, as a power cut leaves it", ""],
  ["with half of its content", '{"pid": 12'],
])("a lock file %s has no holder", (_what, content) => {
  const dir = tempDir();
  const path = join(dir, "lock");
  writeFileSync(path, content);
  const lock = held(tryLock(path));
  expect(JSON.parse(readFileSync(path, "utf8")).pid).toBe(process.pid);
  lock.release();
  expect(readdirSync(dir)).toEqual([]);
});

test("concurrent processes that find an abandoned lock proceed one after the other", async () => {
  const dir = tempDir();
  const counter = join(dir, "counter");
  writeFileSync(counter, "0");
  writeFileSync(join(dir, "lock"), JSON.stringify({ pid: 2 ** 22 + 1, startTime: "boot/1" }));
  const script = `
    import { withLock } from ${JSON.stringify(lockModule)};
    import { readFileSync, writeFileSync } from "node:fs";
    const [lock, counter] = process.argv.slice(1);
    for (let round = 0; round < ${ROUNDS}; round += 1) {
      await withLock(lock, () => {}, async () => {
        const count = Number(readFileSync(counter, "utf8"));
        await new Promise(setImmediate);
        writeFileSync(counter, String(count + 1));
      });
    }`;
  const children = Array.from({ length: PROCESSES }, () =>
    spawn(process.execPath, ["--input-type=module", "--eval", script, join(dir, "lock"), counter], {
      stdio: "inherit",
    }),
  );
  const exits = await Promise.all(children.map((child) => once(child, "exit")));
  expect(exits.map(([code]) => code)).toEqual(children.map(() => 0));
  expect(readFileSync(counter, "utf8")).toBe(String(PROCESSES * ROUNDS));
}, 60_000);
