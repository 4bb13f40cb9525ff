// Finds changes whose events are missing in the chain, and flags them again, so that a worker numbers them
// (number-events.ts).
//
// Invariant: no event is numbered twice. Changes that are flagged are not examined, and of the others the chain is read
// after the change: if its events have numbers, it shows them.
import { nameOfEvent } from "#domain/change-ref.ts";
import type { Clan } from "#domain/clan.ts";
import type { EventChain, EventRepair } from "#events/ports.ts";

/** `examined`: changes that have events; `added`: the events that were missing. Throws AppError `unavailable`. */
export type RepairEvents = (clan: Clan, since: Date) => Promise<{ examined: number; added: number }>;

export function makeRepairEvents({
  chain,
  repair,
}: {
  chain: Pick<EventChain, "listNumbered">;
  repair: EventRepair;
}): RepairEvents {
  return async function repairEvents({ clanId, awardEvents = false }, since) {
    let [examined, added] = [0, 0];
    for await (const changes of repair.listSettled(clanId, { since, everyEntry: awardEvents })) {
      const numbered = await chain.listNumbered(
        clanId,
        changes.map(({ ref }) => ref),
      );
      const missing = changes.flatMap((change) => {
        const types = change.types.filter((type) => !numbered.has(nameOfEvent(change.ref, type)));
        return types.length === 0 ? [] : [{ ...change, types }];
      });
      await repair.flag(clanId, missing);
      examined += changes.length;
      added += missing.reduce((sum, { types }) => sum + types.length, 0);
    }
    return { examined, added };
  };
}
