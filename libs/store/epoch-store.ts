// Which ledger this is: a unique text in the database, drawn anew by whatever makes the memories of running processes worthless.
import mongoose from "mongoose";
import type { Database } from "#store/database.ts";
import { orUnknown, readInTime } from "#store/failure.ts";
import type { EpochStore } from "#usecases/ports.ts";

type EpochDoc = { _id: "epoch"; value: string };

export function makeEpochStore({ db }: Pick<Database, "db">): EpochStore {
  const meta = () => db().collection<EpochDoc>("meta");
  return {
    read: () =>
      // Majority: an epoch that a failover takes back would come again.
      readInTime(async () => (await meta().findOne({ _id: "epoch" }, { readConcern: { level: "majority" } }))?.value ?? ""),
    draw: () =>
      orUnknown(async () => {
        const value = new mongoose.mongo.ObjectId().toHexString();
        await meta().updateOne({ _id: "epoch" }, { $set: { value } }, { upsert: true, writeConcern: { w: "majority" } });
      }),
  };
}
