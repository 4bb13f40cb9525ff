// A command that npm stops: npm forwards the signal that the whole group received.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";

const TRIES = 20;
const module = new URL("../../scripts/system/exit-on-signal.js", import.meta.url).href;
const text = `import(${JSON.stringify(module)}).then(({ exitOnSignal }) => {
  exitOnSignal(7);
  setInterval(() => {}, 1_000);
  process.stdout.write("ready");
});`;

test("a command that receives many signals exits with its exit code, and not by a signal", async () => {
  const exits: unknown[] = [];
  for (let index = 0; index < TRIES; index += 1) {
    const child = spawn(process.execPath, ["-e", text], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    const exited = once(child, "exit");
    const signalling = setInterval(() => child.kill("SIGTERM"), 1);
    exits.push(await exited);
    clearInterval(signalling);
  }
  expect(exits).toStrictEqual(exits.map(() => [7, null]));
});
