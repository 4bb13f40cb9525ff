// Counts spans in turn: one of a clan, whatever the process, and a few of this process at the same time.
import { pause } from "#async/pause.ts";
import { makeTakeTurn } from "#async/take-turn.ts";
import type { Log } from "#runtime/ports.ts";
import {
  CLAIM_RENEW_EVERY_MS,
  CLAIM_RETRY_MS,
  COUNTS_AT_ONCE,
  COUNTS_WAITING_MAX,
  REST_BETWEEN_MS_MAX,
} from "#usecases/gains/bounds.ts";
import { ageMaxMs, type CountGains } from "#usecases/gains/count-gains.ts";
import type { GainClaims, GainCount, GainCounts, GainSpan } from "#usecases/gains/ports.ts";

/** Resolves when there is a new count, or when it failed, which is logged. Never throws. */
export type CountInTurn = (clanId: string, span: GainSpan) => Promise<void>;

export function isFresh({ count, now }: { count: GainCount | null; now: Date }): boolean {
  return count !== null && now.getTime() - count.asOf.getTime() <= ageMaxMs(count);
}

export function makeCountInTurn(deps: {
  counts: Pick<GainCounts, "newest">;
  claims: GainClaims;
  countGains: CountGains;
  newId: () => string;
  log: Log;
  stopping?: AbortSignal | undefined;
  onProgress?: ((done: number) => void) | undefined;
}): CountInTurn {
  const { counts, claims, countGains, newId, log, stopping, onProgress } = deps;
  const takeTurn = makeTakeTurn({ restsPerTurn: 1, restMsMax: REST_BETWEEN_MS_MAX });
  const waiting = new Map<string, Promise<void>>();
  const running = new Set<Promise<void>>();

  async function countAtOnce(clanId: string, span: GainSpan): Promise<void> {
    while (running.size >= COUNTS_AT_ONCE) await Promise.race(running);
    const counted = countGains(clanId, span, onProgress);
    const ended = counted.catch(() => {}).finally(() => running.delete(ended));
    running.add(ended);
    await counted;
  }

  /** False: another process has counted the span. */
  async function claim(clanId: string, span: GainSpan, holder: string): Promise<boolean> {
    for (;;) {
      if (isFresh(await counts.newest(clanId, span))) return false;
      if (await claims.claim(clanId, holder)) return true;
      await pause(CLAIM_RETRY_MS, stopping);
      stopping?.throwIfAborted();
    }
  }

  async function countClaimed(clanId: string, span: GainSpan): Promise<void> {
    const holder = newId();
    if (!(await claim(clanId, span, holder))) return;
    const renew = (): void => void claims.claim(clanId, holder).catch((error: unknown) => noteFailure(clanId, error));
    const renewing = setInterval(renew, CLAIM_RENEW_EVERY_MS);
    try {
      await countAtOnce(clanId, span);
    } finally {
      clearInterval(renewing);
      await claims.release(clanId, holder);
    }
  }

  function noteFailure(clanId: string, error: unknown): void {
    if (!stopping?.aborted) log.warn({ clanId, err: error }, "gains.not_counted");
  }

  return (clanId, span) => {
    const id = JSON.stringify([clanId, span]);
    const known = waiting.get(id);
    if (known || waiting.size >= COUNTS_WAITING_MAX) return known ?? Promise.resolve();
    const counted = takeTurn(clanId, () => countClaimed(clanId, span))
      .catch((error: unknown) => noteFailure(clanId, error))
      .finally(() => waiting.delete(id));
    waiting.set(id, counted);
    return counted;
  };
}
