// Changes a destination as a person asks, with its audit record.
import { isRoleKind, type Destination } from "#domain/destination.ts";
import { makeAudited } from "#audit/store/audited.ts";
import type { Database } from "#mongo/database.ts";
import { endWaiting, type DeliveryDoc } from "#delivery/store/delivery-model.ts";
import {
  destinationInAudit,
  destinationOfDoc,
  DUE_NOW,
  NEW_RUN,
  storedMapping,
  type DestinationDoc,
} from "#delivery/store/destination-model.ts";
import type { DestinationChange, DestinationStore } from "#delivery/ports.ts";

export function makeChangeDestination({ db }: Pick<Database, "db">): DestinationStore["change"] {
  const destinations = () => db().collection<DestinationDoc>("destinations");
  const deliveries = () => db().collection<DeliveryDoc>("deliveries");
  const audited = makeAudited({ db });

  return (destinationId, { skip, mapping, types, ...change }, { action, rev }, by) =>
    audited(by, async (session, note) => {
      const before = await destinations().findOne({ _id: destinationId }, { session });
      if (!before) return null;
      if (before.rev !== rev) return "outdated";
      const set: Partial<DestinationDoc> = {
        ...change,
        ...(types === undefined ? {} : { types: [...types] }),
        ...(mapping === undefined ? {} : { mapping: storedMapping(mapping) }),
        ...(skip ? { position: skip.to } : {}),
        ...startedAnew(before, { ...change, ...(mapping === undefined ? {} : { mapping }) }),
      };
      await destinations().updateOne({ _id: destinationId }, { $set: set, $inc: { rev: 1 } }, { session });
      if (skip) await endWaiting(deliveries(), { destinationId, reason: skip.reason, session });
      else if (change.state === "active") await deliveries().updateMany(...waitingNow(destinationId), { session });
      const doc = { ...before, ...set };
      const [earlier, later] = [before, doc].map((one) => destinationOfDoc(one).destination) as [
        Destination,
        Destination,
      ];
      // The audit log says that secrets were changed, and nothing of them.
      const secrets = change.sealed === undefined ? {} : { secrets: "changed" };
      const after = { ...destinationInAudit(later), ...secrets };
      const ofDestination = { clanId: doc.clanId, target: destinationId, targetName: later.name };
      await note({ action, ...ofDestination, before: destinationInAudit(earlier), after });
      return later;
    });
}

/**
 * Another state, or other secrets, begin without failures. New secrets or another mapping need all members' roles
 * compared.
 */
function startedAnew(
  before: DestinationDoc,
  { state, sealed, mapping }: DestinationChange,
): Partial<Pick<DestinationDoc, "run" | "state" | "stateReason" | "since">> {
  const isNewStart = state !== undefined || sealed !== undefined;
  const needsFullSync =
    isRoleKind(before.kind) && (sealed !== undefined || mapping !== undefined || state === "active");
  if (!isNewStart && !needsFullSync) return {};
  const now = new Date();
  const run = { ...(isNewStart ? NEW_RUN : before.run), syncedAt: before.run.syncedAt };
  const recovers = state === undefined && sealed !== undefined && before.state === "failing";
  return {
    run: { ...run, fullSyncAt: needsFullSync ? DUE_NOW : before.run.fullSyncAt },
    ...(recovers ? { state: "active", stateReason: null } : {}),
    ...(recovers || state !== undefined ? { since: now } : {}),
  };
}

/** No delivery waits for its time any more. */
function waitingNow(destinationId: string): [object, object] {
  return [{ "_id.destinationId": destinationId, state: "waiting" }, { $set: { nextAt: null } }];
}
