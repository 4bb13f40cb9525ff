// Destinations as people see them: how far behind each is, and what waits or has failed.
import { isRoleKind, type Destination, type ShownDestination } from "#domain/destination.ts";
import type { CountsOf, DeliveryLog, DestinationStore } from "#delivery/ports.ts";
import type { RoleSyncStore } from "#delivery/role-sync-ports.ts";
import type { Clock } from "#kernel/clock.ts";

export type ShowDestinations = {
  one(destinationId: string): Promise<ShownDestination | null>;
  ofClan(clanId: string): Promise<ShownDestination[]>;
};

export function makeShowDestinations(deps: {
  destinations: Pick<DestinationStore, "read" | "listOfClan">;
  deliveries: Pick<DeliveryLog, "counts">;
  roleSyncs: Pick<RoleSyncStore, "outcomes">;
  clock: Pick<Clock, "now">;
}): ShowDestinations {
  const { destinations, deliveries, roleSyncs, clock } = deps;

  async function showAll(stored: readonly { destination: Destination }[]): Promise<ShownDestination[]> {
    const counts = await deliveries.counts(stored.map(({ destination }) => destination.destinationId));
    return Promise.all(
      stored.map(async ({ destination }) => {
        const { destinationId, kind } = destination;
        const { waiting, failed, untried } = counts.get(destinationId) ?? NONE;
        const { count: behind, oldestAt } = untried;
        const ageMs = oldestAt && Math.max(0, clock.now().getTime() - oldestAt.getTime());
        const outcomes = isRoleKind(kind) ? await roleSyncs.outcomes(destinationId) : null;
        const oldestBehindS = ageMs === null ? null : Math.round(ageMs / 1_000);
        return { ...destination, behind, oldestBehindS, waiting, failed, outcomes };
      }),
    );
  }

  return {
    async one(destinationId) {
      const stored = await destinations.read(destinationId);
      const [shown = null] = stored ? await showAll([stored]) : [];
      return shown;
    },
    ofClan: async (clanId) => showAll(await destinations.listOfClan(clanId)),
  };
}

const NONE: CountsOf = { waiting: 0, failed: 0, untried: { count: 0, oldestAt: null } };
