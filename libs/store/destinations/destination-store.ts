// Destinations as people manage them; each change is written with its audit record, which never contains a secret.
import type { ClientSession } from "mongoose";
import { isRoleKind, type Destination } from "#domain/destination.ts";
import { makeAudited } from "#store/audit/audited.ts";
import type { Database } from "#store/database.ts";
import { BY_STATE } from "#store/destinations/delivery-model.ts";
import {
  destinationOfDoc,
  docOfDestination,
  NEW_RUN,
  storedMapping,
  type DestinationDoc,
} from "#store/destinations/destination-model.ts";
import { read, rewrite } from "#store/mongo-calls.ts";
import type { DestinationChange, DestinationStore } from "#usecases/destinations/ports.ts";

export function makeDestinationStore({
  models,
  connection,
}: Pick<Database, "models" | "connection">): DestinationStore {
  const { destinations, deliveries } = models;
  const audited = makeAudited({ models, connection });

  function find(destinationId: string, session: ClientSession): Promise<DestinationDoc | null> {
    return destinations.findById(destinationId, {}, { session }).lean<DestinationDoc>();
  }

  /** Ended ones are deleted by age, even if the destination does not exist any more. */
  async function endWaiting(destinationId: string, reason: string, session: ClientSession): Promise<void> {
    const waiting = { "_id.destinationId": destinationId, state: "waiting" } as const;
    const ended = { state: "skipped", reason: { $literal: reason }, nextAt: null, endedAt: "$$NOW" } as const;
    await deliveries.collection.updateMany(waiting, [{ $set: ended }], { session, hint: BY_STATE });
  }

  /** There may be too many for a transaction. */
  async function forgetRoles(destinationId: string): Promise<void> {
    await rewrite(() => models.syncs.deleteMany({ destinationId }).exec());
  }

  return {
    read: (destinationId) =>
      read(async () => {
        const doc = await destinations.findById(destinationId).lean<DestinationDoc>();
        return doc && destinationOfDoc(doc);
      }),

    listOfClan: (clanId) =>
      read(async () =>
        (await destinations.find({ clanId }).sort({ createdAt: 1, _id: 1 }).lean<DestinationDoc[]>()).map(
          destinationOfDoc,
        ),
      ),

    add: (added, { max }, by) =>
      audited(by, async (session, note) => {
        const { destinationId, clanId } = added.destination;
        // So that two additions at the same time conflict.
        await models.clans.updateOne({ _id: clanId }, { $inc: { rev: 1 } }, { session });
        if ((await destinations.countDocuments({ clanId }, { session })) >= max) return false;
        await destinations.create([docOfDestination(added)], { session });
        const after = inAudit(added.destination);
        await note({ action: "destination.add", clanId, target: destinationId, before: null, after });
        return true;
      }),

    change: (destinationId, { skip, mapping, types, ...change }, { action }, by) =>
      audited(by, async (session, note) => {
        const before = await find(destinationId, session);
        if (!before) return null;
        const set: Partial<DestinationDoc> = {
          ...change,
          ...(types === undefined ? {} : { types: [...types] }),
          ...(mapping === undefined ? {} : { mapping: storedMapping(mapping) }),
          ...(skip ? { position: skip.to } : {}),
          ...startedAnew(before, { ...change, ...(mapping === undefined ? {} : { mapping }) }),
        };
        await destinations.updateOne({ _id: destinationId }, { $set: set, $inc: { rev: 1 } }, { session });
        if (skip) await endWaiting(destinationId, skip.reason, session);
        else if (change.state === "active") await deliveries.updateMany(...waitingNow(destinationId), { session });
        const doc = { ...before, ...set };
        const [earlier, later] = [before, doc].map((one) => destinationOfDoc(one).destination) as [
          Destination,
          Destination,
        ];
        // The audit log says that secrets were changed, and nothing of them.
        const secrets = change.sealed === undefined ? {} : { secrets: "changed" };
        const after = { ...inAudit(later), ...secrets };
        await note({ action, clanId: doc.clanId, target: destinationId, before: inAudit(earlier), after });
        return later;
      }),

    async remove(destinationId, by) {
      await forgetRoles(destinationId);
      const isRemoved = await audited(by, async (session, note) => {
        const doc = await find(destinationId, session);
        if (!doc) return false;
        await destinations.deleteOne({ _id: destinationId }, { session });
        await endWaiting(destinationId, "the destination was removed", session);
        await note({
          action: "destination.remove",
          clanId: doc.clanId,
          target: destinationId,
          before: inAudit(destinationOfDoc(doc).destination),
          after: null,
        });
        return true;
      });
      // Those that its holder has added meanwhile.
      await forgetRoles(destinationId).catch(() => {});
      return isRemoved;
    },
  };
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
    run: { ...run, fullSyncAt: needsFullSync ? now : before.run.fullSyncAt },
    ...(recovers ? { state: "active", stateReason: null } : {}),
    ...(recovers || state !== undefined ? { since: now } : {}),
  };
}

/** No delivery waits for its time any more. */
function waitingNow(destinationId: string): [object, object] {
  return [{ "_id.destinationId": destinationId, state: "waiting" }, { $set: { nextAt: null } }];
}

/** What of a destination people change. */
function inAudit({ name, kind, types, onlyUp, state, sendsTo, mapping }: Destination): object {
  return { name, kind, types, onlyUp, state, sendsTo, ...(mapping ? { mapping } : {}) };
}
