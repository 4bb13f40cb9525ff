// Identifies the state of the ledger: a unique text in the database, replaced by everything that invalidates the caches
// of running processes.
import mongoose, { type mongo } from "mongoose";
import { EPOCH_LIFE_MS } from "#store/bounds.ts";
import { read, write } from "#store/mongo-calls.ts";
import { mongoTimeAgo } from "#store/mongo-time.ts";
import type { EpochStore } from "#usecases/awards/ports.ts";

/** `renews`: the value that a renewal replaced. */
type EpochDoc = { _id: "epoch"; value: string; at: Date; renews?: string };

export function makeEpochStore({ db }: { db: () => mongo.Db }): EpochStore {
  const meta = () => db().collection<EpochDoc>("meta");
  const anew = () => ({ value: new mongoose.mongo.ObjectId().toHexString(), at: "$$NOW" });
  const writeConcern = { w: "majority" } as const;
  return {
    read: () =>
      read(async () => {
        // Majority: otherwise a failover could roll the epoch back to the previous one.
        const doc = await meta().findOne({ _id: "epoch" }, { readConcern: { level: "majority" } });
        return { id: doc?.value ?? "", renews: doc?.renews ?? null };
      }),
    draw: () =>
      write(async () => {
        const drawn = [{ $set: anew() }, { $unset: "renews" }];
        await meta().updateOne({ _id: "epoch" }, drawn, { upsert: true, writeConcern });
      }),
    renew: () =>
      write(async () => {
        const at = { $lt: await mongoTimeAgo({ db }, EPOCH_LIFE_MS) };
        await meta().updateOne({ _id: "epoch", at }, [{ $set: { ...anew(), renews: "$value" } }], {
          writeConcern,
        });
      }),
  };
}
