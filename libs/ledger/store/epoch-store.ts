// The epoch of the ledger: a unique text in the database, replaced by an erasure, which invalidates what running
// processes have cached.
import { type Db, ObjectId } from "mongodb";
import { MAJORITY, read, write } from "#mongo/mongo-calls.ts";
import type { EpochStore } from "#ledger/ports.ts";

type EpochDoc = { _id: "epoch"; value: string; at: Date };

export function makeEpochStore({ db }: { db: () => Db }): EpochStore {
  const meta = () => db().collection<EpochDoc>("meta");
  return {
    read: () =>
      read(async () => {
        // Majority: otherwise a failover could roll the epoch back to the previous one.
        const doc = await meta().findOne({ _id: "epoch" }, MAJORITY);
        return doc?.value ?? "";
      }),
    draw: () =>
      write(async () => {
        const drawn = { value: new ObjectId().toHexString(), at: "$$NOW" };
        const options = { upsert: true, writeConcern: { w: "majority" } } as const;
        await meta().updateOne({ _id: "epoch" }, [{ $set: drawn }], options);
      }),
  };
}
