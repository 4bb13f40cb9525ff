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
const ABANDONED = JSON.stringify({ pid: 2 ** 22 + 1, startTime: "boot/1" });

/** Two processes that count at the same time lose a count. */
const COUNT = `
  import { readFileSync, writeFileSync } from "node:fs";
  import { setImmediate as turn } from "node:timers/promises";
  const [lock, counter, rounds] = process.argv.slice(1);
  const count = async () => {
    const before = Number(readFileSync(counter, "utf8"));
    await turn();
    writeFileSync(counter, String(before + 1));
  };`;

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
  ["of a process that has exited", ABANDONED],
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

test("processes that wait for a lock proceed one after the other", async () => {
  const script = `
    import { withLock } from ${JSON.stringify(lockModule)};
    ${COUNT}
    for (let round = 0; round < rounds; round += 1) await withLock(lock, () => {}, count);`;
  expect(await countedBy(script, 15)).toBe(PROCESSES * 15);
});

test("processes that find an abandoned lock again and again proceed one after the other", async () => {
  // Each holder leaves the file as a killed process leaves it.
  const script = `
    import { tryLock } from ${JSON.stringify(lockModule)};
    import { renameSync } from "node:fs";
    ${COUNT}
    for (let round = 0; round < rounds; round += 1) {
      while ("holderPid" in tryLock(lock)) await turn();
      await count();
      const abandoned = lock + ".abandoned." + process.pid;
      writeFileSync(abandoned, ${JSON.stringify(ABANDONED)});
      renameSync(abandoned, lock);
    }`;
  expect(await countedBy(script, 100)).toBe(PROCESSES * 100);
});

/** What the counter has once every process has run the script, beginning with an abandoned lock. */
async function countedBy(script: string, rounds: number): Promise<number> {
  const dir = tempDir();
  const [lock, counter] = [join(dir, "lock"), join(dir, "counter")];
  writeFileSync(lock, ABANDONED);
  writeFileSync(counter, "0");
  const children = Array.from({ length: PROCESSES }, () =>
    spawn(process.execPath, ["--input-type=module", "--eval", script, lock, counter, String(rounds)], {
      stdio: "inherit",
    }),
  );
  const exits = await Promise.all(children.map((child) => once(child, "exit")));
  expect(exits.map(([code]) => code)).toEqual(children.map(() => 0));
  return Number(readFileSync(counter, "utf8"));
}
