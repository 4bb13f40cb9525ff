// Identifies the state of the ledger: a unique text in the database, replaced by everything that invalidates the caches
// of running processes.
import mongoose, { type mongo } from "mongoose";
import { EPOCH_LIFE_MS, EPOCH_SETTLED_MS } from "#store/bounds.ts";
import { read, write } from "#store/mongo-calls.ts";
import { mongoTimeAgo } from "#store/mongo-time.ts";
import type { EpochStore } from "#ledger/ports.ts";

/** `renews`: the value that a renewal replaced. */
type EpochDoc = { _id: "epoch"; value: string; at: Date; renews?: string };

export type OpenEpochStore = EpochStore & {
  /**
   * As a process starts, perhaps after a restore: renews the epoch, or draws the first one. Running processes keep the
   * heads that a restore cannot have removed (decision 0035).
   */
  begin(): Promise<void>;
};

export function makeEpochStore({ db }: { db: () => mongo.Db }): OpenEpochStore {
  const meta = () => db().collection<EpochDoc>("meta");
  const anew = () => ({ value: new mongoose.mongo.ObjectId().toHexString(), at: "$$NOW" });
  const writeConcern = { w: "majority" } as const;
  async function renewOlderThan(ageMs: number): Promise<void> {
    const at = { $lt: await mongoTimeAgo({ db }, ageMs) };
    await meta().updateOne({ _id: "epoch", at }, [{ $set: { ...anew(), renews: "$value" } }], { writeConcern });
  }

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
    renew: () => write(() => renewOlderThan(EPOCH_LIFE_MS)),
    begin: () =>
      write(async () => {
        const { value, at } = anew();
        const first = { value: { $ifNull: ["$value", value] }, at: { $ifNull: ["$at", at] } };
        await meta().updateOne({ _id: "epoch" }, [{ $set: first }], { upsert: true, writeConcern });
        await renewOlderThan(EPOCH_SETTLED_MS);
      }),
  };
}
