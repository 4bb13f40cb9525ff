// Places for requests of one notifier, which destinations share: one that hangs must leave room for the others.
import { REQUESTS_AT_ONCE_MAX, REQUESTS_BUSY, REQUESTS_OF_CLAN_MAX } from "#usecases/destinations/bounds.ts";

export type Places = {
  /** False if there is none for a destination that has `ofDestination` of its `atOnceMax`; then `wake` is called when one is free. */
  take(who: { clanId: string; ofDestination: number; atOnceMax: number; wake: () => void }): boolean;
  leave(clanId: string): void;
};

export function makePlaces(): Places {
  const ofClans = new Map<string, number>();
  const waiting = new Set<() => void>();
  let all = 0;
  return {
    take({ clanId, ofDestination, atOnceMax, wake }) {
      const ofClan = ofClans.get(clanId) ?? 0;
      if (ofDestination >= atOnceMax) return false;
      const isCrowded = all >= REQUESTS_BUSY && ofDestination >= 1;
      if (all >= REQUESTS_AT_ONCE_MAX || ofClan >= REQUESTS_OF_CLAN_MAX || isCrowded) {
        waiting.add(wake);
        return false;
      }
      ofClans.set(clanId, ofClan + 1);
      all += 1;
      return true;
    },
    leave(clanId) {
      const left = (ofClans.get(clanId) ?? 1) - 1;
      if (left > 0) ofClans.set(clanId, left);
      else ofClans.delete(clanId);
      all -= 1;
      const woken = [...waiting];
      waiting.clear();
      // In turn: who waited longest looks first.
      for (const wake of woken) wake();
    },
  };
}
