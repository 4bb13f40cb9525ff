// Which notifier works on which destination: the same on all that know the same notifiers.
import type { Digest } from "#kernel/digest.ts";

export type Owners = {
  /** From these notifiers. */
  choose(notifierIds: readonly string[]): void;
  /** Null: there is no notifier. */
  of(destinationId: string): string | null;
};

/** Rendezvous hashing: if a notifier ends or another begins, only its share passes on. */
export function makeOwners(digest: Digest): Owners {
  let notifiers: readonly string[] = [];
  const owners = new Map<string, string | null>();

  function chosen(destinationId: string): string | null {
    let owner: { id: string; weight: string } | null = null;
    for (const id of notifiers) {
      const weight = digest(`${id} ${destinationId}`);
      if (!owner || weight > owner.weight) owner = { id, weight };
    }
    return owner?.id ?? null;
  }

  return {
    choose(notifierIds) {
      const next = notifierIds.toSorted();
      if (next.join() !== notifiers.join()) owners.clear();
      notifiers = next;
    },
    of(destinationId) {
      const owner = owners.get(destinationId) ?? chosen(destinationId);
      owners.set(destinationId, owner);
      return owner;
    },
  };
}
