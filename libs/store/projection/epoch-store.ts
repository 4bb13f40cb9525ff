// Identifies the state of the ledger: a unique text in the database, replaced by everything that invalidates the caches
// of running processes.
import mongoose, { type mongo } from "mongoose";
import { EPOCH_LIFE_MS } from "#store/bounds.ts";
import { read, write } from "#store/mongo-calls.ts";
import type { EpochStore } from "#usecases/awards/ports.ts";

type EpochDoc = { _id: "epoch"; value: string; at: Date };

export function makeEpochStore({ db }: { db: () => mongo.Db }): EpochStore {
  const meta = () => db().collection<EpochDoc>("meta");
  const anew = () => [{ $set: { value: new mongoose.mongo.ObjectId().toHexString(), at: "$$NOW" } }];
  const writeConcern = { w: "majority" } as const;
  return {
    read: () =>
      // Majority: otherwise a failover could roll the epoch back to the previous one.
      read(async () => (await meta().findOne({ _id: "epoch" }, { readConcern: { level: "majority" } }))?.value ?? ""),
    draw: () =>
      write(async () => void (await meta().updateOne({ _id: "epoch" }, anew(), { upsert: true, writeConcern }))),
    renew: (now) =>
      write(async () => {
        const at = { $lt: new Date(now.getTime() - EPOCH_LIFE_MS) };
        await meta().updateOne({ _id: "epoch", at }, anew(), { writeConcern });
      }),
  };
}
