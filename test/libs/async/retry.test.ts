// A server that is unavailable is waited for; a bug is shown once, and ends the repetition.
import { expect, test } from "vitest";
import { logFailures } from "#async/failures.ts";
import { retry } from "#async/retry.ts";
import { AppError } from "#domain/app-error.ts";

const outage = new AppError("unavailable", "made up");
const always = { pauseMs: 1, mayGoOn: () => true, failed: () => {} };

test("an operation is repeated while a server is unavailable", async () => {
  let tries = 0;
  const run = async (): Promise<string> => {
    tries += 1;
    if (tries < 3) throw outage;
    return "done";
  };
  expect([await retry(run, always), tries]).toStrictEqual(["done", 3]);
});

test("a bug ends the repetition at once", async () => {
  let tries = 0;
  const run = async (): Promise<never> => {
    tries += 1;
    throw new TypeError("made up");
  };
  await expect(retry(run, always)).rejects.toThrow(TypeError);
  expect(tries).toBe(1);
});

test("nothing is repeated that may not go on", async () => {
  let tries = 0;
  const run = async (): Promise<never> => {
    tries += 1;
    throw outage;
  };
  expect([await retry(run, { ...always, mayGoOn: () => tries < 2 }), tries]).toStrictEqual([null, 2]);
});

test("outages are logged at debug, and a bug that repeats once at error", () => {
  const logged: string[] = [];
  const log = { debug: () => void logged.push("debug"), error: () => void logged.push("error") };
  const logFailure = logFailures(log, "made_up.failed");
  for (const error of [outage, new TypeError("made up"), new TypeError("made up"), outage]) logFailure(error);
  expect(logged).toStrictEqual(["debug", "error", "debug"]);
});
