// Counts spans in turn: one of a clan, whatever the process, and a few of this process at the same time.
import { pause } from "#async/pause.ts";
import { repeat } from "#async/repeat.ts";
import { shareRuns } from "#async/share-runs.ts";
import { makeSlots } from "#async/slots.ts";
import { makeTakeTurn } from "#async/take-turn.ts";
import type { Log } from "#kernel/log.ts";
import {
  CLAIM_RENEW_EVERY_MS,
  CLAIM_RETRY_MS,
  COUNTS_AT_ONCE,
  COUNTS_WAITING_MAX,
  REST_BETWEEN_MS_MAX,
} from "#gains/bounds.ts";
import { ageMaxMs, type CountGains } from "#gains/count-gains.ts";
import type { GainClaims, GainCount, GainCounts, GainSpan } from "#gains/ports.ts";

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
  const slots = makeSlots({ max: COUNTS_AT_ONCE });
  let waiting = 0;

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
    const renewing = repeat(
      CLAIM_RENEW_EVERY_MS,
      () => claims.claim(clanId, holder),
      (error) => noteFailure(clanId, error),
    );
    try {
      await slots.run(() => countGains(clanId, span, onProgress));
    } finally {
      await renewing.stop();
      await claims.release(clanId, holder);
    }
  }

  function noteFailure(clanId: string, error: unknown): void {
    if (!stopping?.aborted) log.warn({ clanId, err: error }, "gains.not_counted");
  }

  const count = shareRuns(async (_id: string, clanId: string, span: GainSpan) => {
    if (waiting >= COUNTS_WAITING_MAX) return;
    waiting += 1;
    await takeTurn(clanId, () => countClaimed(clanId, span)).catch((error: unknown) => noteFailure(clanId, error));
    waiting -= 1;
  });
  return (clanId, span) => count(JSON.stringify([clanId, span]), clanId, span);
}
