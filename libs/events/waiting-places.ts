// The places of calls that wait for events: a key leaves room for others, and so does a clan once others wait.
import { CALLS_WAITING_MAX, CALLS_WAITING_PER_CLAN_MAX, CALLS_WAITING_PER_KEY_MAX } from "#events/bounds.ts";

/** `end`: ends the wait now, because another clan needs the place. */
export type WaitingPlace = { clanId: string; keyId: string; end: () => void };

export type WaitingPlaces = {
  /** Whether the call may wait. */
  take(place: WaitingPlace): boolean;
  leave(place: WaitingPlace): void;
};

export function makeWaitingPlaces(): WaitingPlaces {
  /** The longest waiting first. */
  const places = new Set<WaitingPlace>();

  /** Ends the call that has waited for longest of the clan with the most, if that has more than its share. */
  function makeRoom(): boolean {
    const clans = [...Map.groupBy(places, ({ clanId }) => clanId).values()];
    const [most = []] = clans.toSorted((a, b) => b.length - a.length);
    const [longest] = most;
    if (!longest || most.length <= CALLS_WAITING_PER_CLAN_MAX) return false;
    places.delete(longest);
    longest.end();
    return true;
  }

  return {
    take(place) {
      const all = [...places];
      const ofKey = all.filter(({ keyId }) => keyId === place.keyId).length;
      const ofClan = all.filter(({ clanId }) => clanId === place.clanId).length;
      const [isFull, hasOthers] = [all.length >= CALLS_WAITING_MAX, ofClan < all.length];
      if (ofKey >= CALLS_WAITING_PER_KEY_MAX) return false;
      if ((isFull || hasOthers) && ofClan >= CALLS_WAITING_PER_CLAN_MAX) return false;
      if (isFull && !makeRoom()) return false;
      places.add(place);
      return true;
    },
    leave(place) {
      places.delete(place);
    },
  };
}
