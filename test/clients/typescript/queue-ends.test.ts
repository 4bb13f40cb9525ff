import { expect, test, vi } from "vitest";
import type { ClanXpError } from "../../../clients/typescript/src/error.ts";
import { until } from "../../support/until.ts";
import { applyAll, keysOf, named, queueOn } from "./queue-on.ts";
import { problem, resultsFor, type Answer } from "./stand-in.ts";

const forever = new Promise<never>(() => {});

test.concurrent("an award that is not settled in time is dropped with its last error, or timeout if there was none", async () => {
  // Without a network between them, so the answers arrive immediately.
  const busy = JSON.stringify({ code: "busy", detail: "Later." });
  const fetch = async () =>
    new Response(busy, { status: 503, headers: { "content-type": "application/problem+json" } });
  const rejecting = await queueOn(() => "hang", { deadlineMs: 6_000 }, { fetch });
  const error = await rejecting.queue.add("p", 1).catch((reason: unknown) => reason as ClanXpError);
  expect(error).toMatchObject({ code: "busy", status: 503, retryable: true, message: "Later." });
  expect((error as ClanXpError).attempts).toBeGreaterThan(1);
  const late = queueOn(() => forever, { deadlineMs: 300 });
  const hanging = await late;
  const started = performance.now();
  const both = [hanging.queue.add("p", 1), hanging.queue.add("p", 2)];
  await expect(both[0]).rejects.toMatchObject({ code: "timeout", retryable: true });
  await expect(both[1]).rejects.toMatchObject({ code: "timeout" });
  expect(performance.now() - started).toBeGreaterThanOrEqual(299);
  expect(await hanging.queue.close()).toStrictEqual({ delivered: 0, dropped: 2 });
});

test.concurrent("a new award beyond the bound of unsettled ones is dropped with queue_full", async () => {
  const { queue, dropped } = await queueOn(applyAll, { maxPending: 2 });
  const added = ["a", "b", "c"].map((name) => queue.add("p", 1, named(name)));
  await expect(added[2]).rejects.toMatchObject({ code: "queue_full", retryable: true, attempts: 0 });
  await Promise.all(added.slice(0, 2));
  await queue.add("p", 1);
  expect(await queue.close()).toStrictEqual({ delivered: 3, dropped: 1 });
  expect(dropped).toStrictEqual([["c", "queue_full"]]);
});

test.concurrent("close rejects further awards, sends pending ones immediately, and drops the rest at its deadline", async () => {
  const draining = await queueOn(applyAll, { flushMs: 600_000 });
  void draining.queue.add("p", 1);
  const closing = draining.queue.close();
  void draining.queue.add("p", 1, named("late"));
  expect(await closing).toStrictEqual({ delivered: 1, dropped: 1 });
  expect(draining.dropped).toStrictEqual([["late", "queue_closed"]]);

  const hanging = await queueOn(() => "hang");
  for (const name of ["a", "b"]) void hanging.queue.add("p", 1, named(name));
  expect(await hanging.queue.close({ deadlineMs: 200 })).toStrictEqual({ delivered: 0, dropped: 2 });
  expect(hanging.dropped).toStrictEqual([
    ["a", "timeout"],
    ["b", "timeout"],
  ]);
  expect(hanging.queue.pending).toBe(0);

  const waiting = await queueOn(() => problem(503, "busy", { headers: { "retry-after": "60" } }));
  void waiting.queue.add("p", 1, named("a"));
  await until(async () => waiting.peer.received.length === 1);
  // The next try would be after the deadline: there is nothing to wait for.
  expect(await waiting.queue.close({ deadlineMs: 20_000 })).toStrictEqual({ delivered: 0, dropped: 1 });
  expect(waiting.dropped).toStrictEqual([["a", "busy"]]);
});

test.concurrent("flush resolves when all earlier awards are settled, even if they were dropped", async () => {
  const { queue } = await queueOn(
    (request) => (keysOf(request).includes("bad") ? problem(401, "key_revoked") : resultsFor(request)),
    {
      flushMs: 600_000,
    },
  );
  let settled = 0;
  const count = (): void => void (settled += 1);
  queue.add("p", 1, named("bad")).then(count, count);
  expect(await queue.flush()).toBeUndefined();
  expect(settled).toBe(1);
  void queue.add("p", 1);
  expect(queue.pending).toBe(1);
  expect(await queue.flush()).toBeUndefined();
  expect(queue.pending).toBe(0);
});

test("a dropped award is printed to standard error without onDropped, and a failing onDropped stops nothing", async () => {
  const lines = vi.spyOn(globalThis["console"], "error").mockImplementation(() => {});
  const reject = (): Answer => problem(401, "key_revoked");
  const { queue: silent } = await queueOn(reject, { onDropped: undefined });
  void silent.add("p", 25, named("k1"));
  void silent.add(Symbol("p") as unknown as string, 5, named("k2"));
  expect(await silent.close()).toStrictEqual({ delivered: 0, dropped: 2 });
  expect(lines.mock.calls.flat().join(" ")).toMatch(/25 for p \(k1\): key_revoked/);
  expect(lines.mock.calls.flat().join(" ")).toMatch(/5 for Symbol\(p\) \(k2\): invalid_argument/);
  const rejecting = (() => Promise.reject(new Error("no disk"))) as unknown as () => void;
  for (const onDropped of [() => expect.unreachable(), rejecting]) {
    const { queue } = await queueOn(reject, { onDropped });
    void queue.add("p", 1);
    void queue.add("q", 1);
    expect(await queue.close()).toStrictEqual({ delivered: 0, dropped: 2 });
  }
  await expect.poll(() => lines.mock.calls.length).toBe(6);
});
