// A server that is unavailable is waited for; a bug is shown once, and ends the repetition.
import { expect, test, vi } from "vitest";
import { logFailures } from "#async/failures.ts";
import { retry } from "#async/retry.ts";
import { AppError } from "#kernel/app-error.ts";

const outage = new AppError("unavailable", "made up");
const always = { pauseMs: 1, mayGoOn: () => true, failed: () => {} };

/** Fails with this until the third try. */
const failing = (error: Error) =>
  vi
    .fn<() => Promise<string>>(async () => "done")
    .mockRejectedValueOnce(error)
    .mockRejectedValueOnce(error);

test("an operation is repeated while a server is unavailable", async () => {
  const run = failing(outage);
  expect(await retry(run, always)).toBe("done");
  expect(run).toHaveBeenCalledTimes(3);
});

test("a bug ends the repetition at once", async () => {
  const run = failing(new TypeError("made up"));
  await expect(retry(run, always)).rejects.toThrow(TypeError);
  expect(run).toHaveBeenCalledTimes(1);
});

test("nothing is repeated that may not go on", async () => {
  const run = failing(outage);
  const mayGoOn = (): boolean => run.mock.calls.length < 2;
  expect(await retry(run, { ...always, mayGoOn })).toBeNull();
  expect(run).toHaveBeenCalledTimes(2);
});

test("outages are logged at debug, and a bug that repeats once at error", () => {
  const logged: string[] = [];
  const log = { debug: () => void logged.push("debug"), error: () => void logged.push("error") };
  const logFailure = logFailures(log, "made_up.failed");
  for (const error of [outage, new TypeError("made up"), new TypeError("made up"), outage]) logFailure(error);
  expect(logged).toStrictEqual(["debug", "error", "debug"]);
});
