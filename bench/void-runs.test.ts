// What makes a run void, with real load against small subjects that are not what they should be.
import { createServer, type RequestListener } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { listen } from "../test/support/listen.ts";
import { AMOUNT, type LoadResult } from "./load/plan.ts";
import { startGenerator } from "./load/run-load.ts";
import { measureOnce } from "./measure-once.ts";
import { totalsFault } from "./void-run.ts";
import type { LedgerTotals, Subject } from "./subjects/subject.ts";
import type { Measure } from "./measures.ts";

type Closed = Measure & { perSecond: null };
const SYNC = { subject: "ours", spread: "uniform", callers: 8, perSecond: null } as const satisfies Closed;
const duration = { warmMs: 50, measureMs: 600, isSettled: false };
/** Otherwise a run is void if nothing is answered within the window, as on a busy machine. */
const isWarmUp = true;

let generator: Awaited<ReturnType<typeof startGenerator>>;
beforeAll(async () => {
  generator = await startGenerator();
});
afterAll(() => generator.close());

describe("a benchmark run is void", () => {
  test("if a subject acknowledges awards that its ledger does not contain", async () => {
    const lying = await subject(ok, (answers) => ({ xp: BigInt(Math.max(0, answers - 1) * AMOUNT), entries: null }));
    await expect(measureOnce(lying, SYNC, { generator, duration, isWarmUp })).rejects.toThrow(
      /XP grew by \d+ instead of \d+/,
    );
  });

  test("if a single response is not 200", async () => {
    let answers = 0;
    const failing = await subject((_req, res) => {
      answers += 1;
      res.writeHead(answers === 1 ? 503 : 200, { "content-length": 0 }).end();
    });
    await expect(measureOnce(failing, SYNC, { generator, duration, isWarmUp: false })).rejects.toThrow(
      "1 × status 503",
    );
  });

  test("if a connection breaks", async () => {
    let answers = 0;
    const breaking = await subject((req, res) => {
      answers += 1;
      if (answers === 1) req.socket.destroy();
      else ok(req, res);
    });
    await expect(measureOnce(breaking, SYNC, { generator, duration, isWarmUp: false })).rejects.toThrow(
      "not every award was acknowledged",
    );
  });

  test("if the XP is correct but the ledger is not", () => {
    const before: LedgerTotals = { xp: 10n, entries: 2n };
    expect(totalsFault(before, { xp: 10n + 3n * BigInt(AMOUNT), entries: 5n }, 3)).toBeNull();
    expect(totalsFault(before, { xp: 10n + 3n * BigInt(AMOUNT), entries: 4n }, 3)).toContain("the ledger grew by 2");
  });
});

test("a benchmark run is valid if the ledger contains every acknowledged award once", async () => {
  const honest = await subject(ok, (answers) => ({ xp: BigInt(answers * AMOUNT), entries: BigInt(answers) }));
  const load = await loadWith(1, honest, SYNC);
  expect(load.awardsInAll).toBeGreaterThanOrEqual(load.awards);
});

test("a benchmark run sends a unique idempotency key with every second award", async () => {
  const keys: (string | undefined)[] = [];
  const watched = await subject((req, res) => {
    keys.push(req.headersDistinct["idempotency-key"]?.[0]);
    ok(req, res);
  });
  await measureOnce(watched, SYNC, { generator, duration, isWarmUp });
  const given = keys.filter((key) => key !== undefined);
  expect(Math.abs(given.length - keys.length / 2)).toBeLessThanOrEqual(1);
  expect(new Set(given).size).toBe(given.length);
});

test("an open-loop run measures latency from the scheduled time of a request, not from a free connection", async () => {
  let stallMs = 0;
  let stalled: Promise<void> | null = null;
  const stalling = await subject((req, res) => {
    stalled ??= pause(stallMs);
    void stalled.then(() => ok(req, res));
  });
  const measure = { ...SYNC, callers: 2, perSecond: 200 };
  // Two requests were sent before the stall; a closed loop would have called the others, nine in ten, fast.
  const load = await loadWith(21, stalling, measure, (measureMs) => {
    [stallMs, stalled] = [measureMs / 2, null];
  });
  expect(load.latencyMs[90]).toBeGreaterThan(stallMs / 2);
});

test("a load that is stopped has the rate of the time until then", async () => {
  let answers = 0;
  const { port, clans, membersTotal } = await subject((req, res) => {
    answers += 1;
    if (answers === 20) generator.stop();
    ok(req, res);
  });
  const plan = { ...SYNC, port, clans, membersTotal, awardsPerRequest: 1, isCall: false, perSecond: 200 };
  const endless = { ...plan, warmMs: 0, measureMs: 3_600_000 };
  const load = await generator.run(endless, { began() {}, ended() {} });
  expect(load.awards).toBeGreaterThanOrEqual(19);
  expect(load.awardsPerS).toBeGreaterThan(1);
});

/** The load of the first window, longer each time, in which at least so many awards were acknowledged. */
async function loadWith(
  awards: number,
  of: Subject,
  measure: Measure & { perSecond: number | null },
  onBegin: (measureMs: number) => void = () => {},
): Promise<LoadResult> {
  for (let measureMs = 800; ; measureMs *= 3) {
    onBegin(measureMs);
    const longer = { ...duration, measureMs };
    const { load } = await measureOnce(of, measure, { generator, duration: longer, isWarmUp });
    if (load.awards >= awards) return load;
  }
}

const ok: RequestListener = (_req, res) => void res.writeHead(200, { "content-length": 2 }).end("{}");

/** A subject of one HTTP server in this process. `booksAfter`: what its books say after so many answers. */
async function subject(answer: RequestListener, booksAfter?: (answers: number) => LedgerTotals): Promise<Subject> {
  let answers = 0;
  const server = createServer((req, res) => {
    answers += 1;
    answer(req, res);
  });
  const port = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    port,
    clans: [{ clanId: "clan", secret: "none" }],
    membersTotal: 100,
    pids: {},
    generator: null,
    readTotals: booksAfter ? () => Promise.resolve(booksAfter(answers)) : null,
    verify: null,
    close: () => Promise.resolve(),
  };
}
