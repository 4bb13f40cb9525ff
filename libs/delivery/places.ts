// Places for requests of one notifier, which destinations share: one that hangs must leave room for the others.
import { REQUESTS_AT_ONCE_MAX, REQUESTS_BUSY, REQUESTS_OF_CLAN_MAX, SLOW_MS } from "#delivery/bounds.ts";
import type { Clock } from "#kernel/clock.ts";

/** Null: there is none now. Otherwise it ends the use of the place. */
export type TakePlace = () => (() => void) | null;

/**
 * For one destination, at most `atOnceMax` at the same time, and fewer the longer its requests take. `wake`: is called
 * when there may be a place that it had to do without.
 */
export type Places = (who: { clanId: string; atOnceMax: number; wake: () => void }) => TakePlace;

export function makePlaces(clock: Pick<Clock, "monotonicMs">): Places {
  const ofClans = new Map<string, number>();
  const waiting = new Set<() => void>();
  let all = 0;

  function leave(clanId: string): void {
    const left = (ofClans.get(clanId) ?? 1) - 1;
    if (left > 0) ofClans.set(clanId, left);
    else ofClans.delete(clanId);
    all -= 1;
    const woken = [...waiting];
    waiting.clear();
    // In turn: who waited longest looks first.
    for (const wake of woken) wake();
  }

  return ({ clanId, atOnceMax, wake }) => {
    const startedMs = new Set<{ at: number }>();
    // How long a request takes, by the slowest of the last ones. Nothing is known of it at first.
    let takesMs = SLOW_MS * FIRST;

    function allowed(): number {
      const [oldest] = startedMs;
      const slowestMs = Math.max(takesMs, oldest ? clock.monotonicMs() - oldest.at : 0);
      return Math.max(1, Math.ceil(atOnceMax * (1 - slowestMs / SLOW_MS)));
    }

    return function take() {
      if (startedMs.size >= allowed()) return null;
      const ofClan = ofClans.get(clanId) ?? 0;
      const isCrowded = all >= REQUESTS_BUSY && startedMs.size > 0;
      if (all >= REQUESTS_AT_ONCE_MAX || ofClan >= REQUESTS_OF_CLAN_MAX || isCrowded) {
        waiting.add(wake);
        return null;
      }
      ofClans.set(clanId, ofClan + 1);
      all += 1;
      const started = { at: clock.monotonicMs() };
      startedMs.add(started);
      return () => {
        startedMs.delete(started);
        takesMs = Math.max(clock.monotonicMs() - started.at, takesMs / 2);
        leave(clanId);
      };
    };
  };
}

/** A quarter of its places until its first response. */
const FIRST = 0.75;
