// Ranks that are renamed keep their roles in Roblox groups and Discord servers.
import type { ClientSession } from "mongodb";
import { roleKinds } from "#domain/destination.ts";
import type { Renames } from "#domain/replace-ranks.ts";
import { renameInMapping } from "#domain/role-change.ts";
import type { Database } from "#mongo/database.ts";
import { destinationOfDoc, DUE_NOW, storedMapping, type DestinationDoc } from "#delivery/store/destination-model.ts";

export function makeRenameInMappings({ db }: Pick<Database, "db">) {
  const destinations = () => db().collection<DestinationDoc>("destinations");
  /** In the transaction that renames the ranks. The notifier begins anew, and compares all members. */
  return async (clanId: string, renames: Renames, session: ClientSession): Promise<void> => {
    const docs = await destinations()
      .find({ clanId, kind: { $in: [...roleKinds] } }, { session })
      .toArray();
    for (const doc of docs) {
      const { mapping } = destinationOfDoc(doc).destination;
      if (!mapping) continue;
      const renamed = storedMapping({ ...mapping, roles: renameInMapping(mapping.roles, renames) });
      const set = { mapping: renamed, "run.fullSyncAt": DUE_NOW };
      await destinations().updateOne({ _id: doc._id }, { $set: set, $inc: { rev: 1 } }, { session });
    }
  };
}
