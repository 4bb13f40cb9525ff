// Everything that people do with destinations, for the command line and the dashboard.
import type { Actor } from "#domain/audit.ts";
import { makeAddDestination, type AddDeps, type AddDestination } from "#delivery/add-destination.ts";
import { makeAskNotifier, type AskNotifier } from "#delivery/ask-notifier.ts";
import { makeChangeDestination, type ChangeDeps, type ChangeDestination } from "#delivery/change-destination.ts";
import { makeListDeliveries, type ListDeliveries } from "#delivery/list-deliveries.ts";
import { makeResendDeliveries, type ResendDeliveries } from "#delivery/resend-deliveries.ts";
import { makeShowDestinations, type ShowDestinations } from "#delivery/show-destinations.ts";
import type { DeliveryLog, DestinationStore } from "#delivery/ports.ts";
import type { RoleSyncStore } from "#delivery/role-sync-ports.ts";
import type { Clock } from "#kernel/clock.ts";
import type { EventFeed } from "#events/ports.ts";

export type ManageDestinations = ChangeDestination &
  AskNotifier & {
    add: AddDestination;
    show: ShowDestinations;
    listDeliveries: ListDeliveries;
    /** What is known of the roles of its members. */
    pageOfRoles: RoleSyncStore["page"];
    resend: ResendDeliveries;
    /** False if there is none. */
    remove(destinationId: string, by: Actor): Promise<boolean>;
  };

export type ManageDeps = AddDeps &
  ChangeDeps & {
    destinations: DestinationStore;
    deliveries: DeliveryLog;
    roleSyncs: Pick<RoleSyncStore, "outcomes" | "page">;
    events: EventFeed;
    clock: Pick<Clock, "now" | "agingMs">;
  };

export function makeManageDestinations(deps: ManageDeps): ManageDestinations {
  return {
    add: makeAddDestination(deps),
    ...makeChangeDestination(deps),
    ...makeAskNotifier(deps),
    show: makeShowDestinations(deps),
    listDeliveries: makeListDeliveries(deps),
    pageOfRoles: deps.roleSyncs.page,
    resend: makeResendDeliveries(deps),
    remove: deps.destinations.remove,
  };
}
