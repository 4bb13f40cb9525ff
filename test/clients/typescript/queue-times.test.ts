import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ClanXp } from "../../../clients/typescript/src/index.ts";
import type { QueueOptions } from "../../../clients/typescript/src/types.ts";
import { applied, nowhere, problem, sentIn, type Sent } from "./nowhere.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A result for each award: `failed` for these members, `rejected` for that one, `applied` for all others. */
function mixed(awards: Sent, { failed = "", rejected = "" }): Response {
  const results = awards.map(({ platformId }, index) => {
    const status = failed.includes(platformId) ? "failed" : platformId === rejected ? "rejected" : "applied";
    const error =
      status === "applied" ? null : { code: status === "failed" ? "busy" : "xp_out_of_range", detail: "No." };
    return { index, platformId, status, xp: "5", rank: "Guest", error };
  });
  return new Response(JSON.stringify({ applied: 0, results }));
}

/** `calls`: whose awards each call carried. `ends`: what became of each award, by its member. */
function queueAt(options: QueueOptions, answer: (awards: Sent, number: number) => Response | Promise<Response>) {
  const calls: string[][] = [];
  const ends: Record<string, string> = {};
  const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    const awards = sentIn(init);
    calls.push(awards.map(({ platformId }) => platformId));
    return answer(awards, calls.length - 1);
  };
  const clan = new ClanXp({ ...nowhere, fetch });
  const queue = clan.queue({ onDropped: () => {}, ...options });
  const add = (platformId: string): void => {
    queue.add(platformId, 5).then(
      () => (ends[platformId] = "delivered"),
      (error: { code: string }) => (ends[platformId] = error.code),
    );
  };
  return { add, calls, ends, queue };
}

test("an award is dropped at its deadline, even if that is before the end of the flush time", async () => {
  const { add, calls, ends } = queueAt({ flushMs: 3_000, deadlineMs: 300 }, applied);
  add("p");
  await vi.advanceTimersByTimeAsync(299);
  expect(ends).toStrictEqual({});
  await vi.advanceTimersByTimeAsync(2);
  expect(ends).toStrictEqual({ p: "timeout" });
  expect(calls).toStrictEqual([]);
});

test("a 400 that names only an award that was dropped meanwhile drops no other, and they are sent again", async () => {
  const { add, calls, ends } = queueAt({ flushMs: 500, deadlineMs: 700 }, async (awards, number) => {
    if (number > 0) return applied(awards);
    await new Promise((resolve) => setTimeout(resolve, 400));
    return problem(400, "invalid_request", [{ pointer: "/awards/0/amount", detail: "is too large" }]);
  });
  add("wrong");
  await vi.advanceTimersByTimeAsync(350);
  add("right");
  await vi.advanceTimersByTimeAsync(400);
  expect(ends).toStrictEqual({ wrong: "timeout" });
  await vi.advanceTimersByTimeAsync(200);
  expect(ends).toStrictEqual({ wrong: "timeout", right: "delivered" });
  expect(calls).toStrictEqual([["wrong", "right"], ["right"]]);
});

test("a long Retry-After delays the awards of its call, but later ones for at most a minute", async () => {
  const { add, calls, ends } = queueAt({ deadlineMs: 1_000_000 }, (awards, number) =>
    number > 0 ? applied(awards) : problem(503, "unavailable", [], { "retry-after": "600" }),
  );
  add("early");
  await vi.advanceTimersByTimeAsync(1_000);
  add("later");
  await vi.advanceTimersByTimeAsync(58_000);
  expect(calls).toStrictEqual([["early"]]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(ends).toStrictEqual({ later: "delivered" });
  await vi.advanceTimersByTimeAsync(530_000);
  expect(calls).toStrictEqual([["early"], ["later"]]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(ends).toStrictEqual({ later: "delivered", early: "delivered" });
});

test("malformed errors in a response settle the awards and do not crash the process", async () => {
  const { add, calls, ends } = queueAt({}, (awards, number) =>
    number === 0
      ? problem(400, "bad_request", [null, 1, {}, { pointer: 1 }, { pointer: "/awards/0/amount", detail: "No." }])
      : number === 1
        ? problem(400, "bad_request", [null])
        : mixed(awards, {}),
  );
  add("named");
  add("other");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(calls).toStrictEqual([["named", "other"], ["other"]]);
  expect(ends).toStrictEqual({ named: "bad_request", other: "bad_request" });
  add("applied");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(ends).toMatchObject({ applied: "delivered" });
});

test("onDropped may add and flush without sending an award of the same response before its back-off", async () => {
  const again: (() => void)[] = [];
  const { add, calls, queue } = queueAt({ maxEntries: 2, onDropped: () => again.pop()?.() }, (awards, number) =>
    mixed(awards, number === 0 ? { rejected: "a", failed: "b" } : {}),
  );
  again.push(() => {
    add("c");
    void queue.flush();
  });
  add("a");
  add("b");
  await vi.advanceTimersByTimeAsync(200);
  expect(calls).toStrictEqual([["a", "b"], ["c"]]);
  await vi.advanceTimersByTimeAsync(800);
  expect(calls).toStrictEqual([["a", "b"], ["c"], ["b"]]);
});

test("onDropped may add and flush without sending an award of the same call before Retry-After", async () => {
  const again: (() => void)[] = [];
  const options = { maxEntries: 2, deadlineMs: 12_000, flushMs: 5_000, onDropped: () => again.pop()?.() };
  const { add, calls, queue } = queueAt(options, (awards, number) =>
    number === 0 ? problem(500, "internal", [], { "retry-after": "10" }) : mixed(awards, {}),
  );
  again.push(() => {
    add("c");
    void queue.flush();
  });
  add("a");
  await vi.advanceTimersByTimeAsync(4_000);
  add("b");
  await vi.advanceTimersByTimeAsync(8_500);
  expect(calls).toStrictEqual([["a", "b"], ["c"]]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(calls).toStrictEqual([["a", "b"], ["c"], ["b"]]);
});

test("a full call is sent immediately even while other awards wait for a retry", async () => {
  const { add, calls } = queueAt({ maxEntries: 3, flushMs: 60_000 }, (awards) => mixed(awards, { failed: "bc" }));
  for (const member of ["a", "b", "c"]) add(member);
  await vi.advanceTimersByTimeAsync(1);
  for (const member of ["d", "e", "f"]) add(member);
  await vi.advanceTimersByTimeAsync(1);
  expect(calls).toStrictEqual([
    ["a", "b", "c"],
    ["d", "e", "f"],
  ]);
});

test("a failed award is retried after its back-off, and the rest of a 400 immediately, for any flush time", async () => {
  const { add, calls, ends } = queueAt({ maxEntries: 3, flushMs: 60_000 }, (awards, number) =>
    number === 0
      ? problem(400, "invalid_request", [{ pointer: "/awards/1/amount", detail: "is too large" }])
      : mixed(awards, number === 1 ? { failed: "c" } : {}),
  );
  for (const member of ["a", "b", "c"]) add(member);
  await vi.advanceTimersByTimeAsync(1);
  expect(calls).toStrictEqual([
    ["a", "b", "c"],
    ["a", "c"],
  ]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(calls.slice(2)).toStrictEqual([["c"]]);
  expect(ends).toStrictEqual({ a: "delivered", b: "invalid_request", c: "delivered" });
});

test("awards of a call that is to be repeated are sent again in one call, however long the process pauses", async () => {
  const { add, calls, ends } = queueAt({}, (awards, number) =>
    number > 0 ? applied(awards) : problem(500, "internal"),
  );
  // Every reading of the clock is 5 ms later than the one before, as if the process had paused between them.
  const clock = performance.now.bind(performance);
  let paused = 0;
  vi.spyOn(performance, "now").mockImplementation(() => clock() + (paused += 5));
  for (const member of ["a", "b", "c"]) add(member);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(calls).toStrictEqual([
    ["a", "b", "c"],
    ["a", "b", "c"],
  ]);
  expect(ends).toStrictEqual({ a: "delivered", b: "delivered", c: "delivered" });
});
