// Counts what was acknowledged and how long it took, in the measured window and in all. Times are performance.now().
import { build } from "hdr-histogram-js";
import { PERCENTILES, type LoadMessage, type LoadPlan, type LoadResult } from "./plan.ts";

/** About; the window is cut into equal ones. */
const SLICE_MS = 250;
const LATENCY_MAX_US = 120_000_000;

export type Recorder = {
  /** True once the measured window has passed: nothing new is sent. */
  over(): boolean;
  /**
   * `dueMs`: when the request should have been sent, which is when it was unless the generator or its connections were
   * busy.
   */
  answered(awards: number, dueMs: number): void;
  failed(what: string): void;
  /** Ends the window now, once it has begun. */
  stop(): void;
  /** The window has ended, and that was reported. */
  ended: Promise<void>;
  /** Of all that was sent and answered. */
  result(): LoadResult;
};

/** Starts the warm-up now, and reports when the window begins and ends. */
export function startRecorder({ warmMs, measureMs }: LoadPlan, send: (message: LoadMessage) => void): Recorder {
  const beginMs = performance.now() + warmMs;
  let endMs = beginMs + measureMs;
  const histogram = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: LATENCY_MAX_US,
    numberOfSignificantValueDigits: 3,
  });
  const slices = Array.from({ length: Math.max(1, Math.floor(measureMs / SLICE_MS)) }, () => 0);
  const sliceMs = measureMs / slices.length;
  const failures: Record<string, number> = {};
  const ended = Promise.withResolvers<void>();
  let [awardsInAll, awardsInWindow, cpuShare] = [0, 0, 0];
  let stop = (): void => {};

  setTimeout(() => {
    const before = process.cpuUsage();
    const beforeMs = performance.now();
    send({ kind: "began" });
    function end(): void {
      const { user, system } = process.cpuUsage(before);
      cpuShare = (user + system) / 1_000 / (performance.now() - beforeMs);
      send({ kind: "ended" });
      ended.resolve();
    }
    const timer = setTimeout(end, measureMs);
    stop = () => {
      if (performance.now() >= endMs) return;
      endMs = performance.now();
      clearTimeout(timer);
      end();
    };
  }, warmMs);

  return {
    stop: () => stop(),
    ended: ended.promise,
    over: () => performance.now() >= endMs,
    answered(awards, dueMs) {
      const nowMs = performance.now();
      awardsInAll += awards;
      if (nowMs < beginMs || nowMs >= endMs) return;
      awardsInWindow += awards;
      const slice = Math.floor((nowMs - beginMs) / sliceMs);
      slices[slice] = (slices[slice] ?? 0) + awards;
      histogram.recordValue(Math.max(1, Math.round((nowMs - dueMs) * 1_000)));
    },
    failed(what) {
      failures[what] = (failures[what] ?? 0) + 1;
    },
    result: () => ({
      awards: awardsInWindow,
      awardsInAll,
      awardsPerS: awardsInWindow / ((endMs - beginMs) / 1_000),
      latencyMs: Object.fromEntries(
        PERCENTILES.map((percentile) => [percentile, histogram.getValueAtPercentile(percentile) / 1_000]),
      ) as LoadResult["latencyMs"],
      series: slices.map((awards) => awards / (sliceMs / 1_000)),
      failures,
      cpuShare,
    }),
  };
}
