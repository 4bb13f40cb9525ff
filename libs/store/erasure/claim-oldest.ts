// Claims of work that a process has left: an erasure of a member, or a deletion of a clan. Only MongoDB's clock
// determines whether a process is silent: the clocks of the processes do not matter.
import type { mongo } from "mongoose";
import { ALIVE } from "#store/erasure/erasure-model.ts";
import { ageOf } from "#store/mongo-time.ts";

type Work = { _id: string; aliveAt?: Date; finishedAt: Date | null; createdAt: Date };

/** `finishedForMs`: null while it is unfinished. */
export type Ages = { silentForMs: number; finishedForMs: number | null };

/** Takes over the oldest of these that is due, if there is one. From now on the caller counts as working on it. */
export async function claimOldest<Doc extends Work>(
  collection: mongo.Collection<Doc>,
  among: mongo.Filter<Doc>,
  isDue: (ages: Ages) => boolean,
): Promise<mongo.WithId<Doc> | null> {
  type Aged = { _id: string; aliveAt: Date | null; silentForMs: bigint | null; finishedForMs: bigint | null };
  const projection = { aliveAt: 1, silentForMs: ageOf("aliveAt"), finishedForMs: ageOf("finishedAt") };
  const docs = await collection
    .find<Aged>(among, { readConcern: { level: "majority" }, projection })
    .sort({ createdAt: 1 })
    .toArray();
  for (const { _id, aliveAt, silentForMs, finishedForMs } of docs) {
    const isFinished = finishedForMs !== null;
    if (!isDue({ silentForMs: Number(silentForMs), finishedForMs: isFinished ? Number(finishedForMs) : null }))
      continue;
    // Unless it showed a sign of life, or another worker was faster.
    const doc = await collection.findOneAndUpdate({ ...among, _id, aliveAt }, ALIVE);
    if (doc) return doc;
  }
  return null;
}
