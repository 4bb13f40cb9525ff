// MongoDB's clock: the only one that decides what is old (docs/decisions/0036). A difference is taken between two of its
// times, so the clocks of the processes do not matter.
import type { mongo } from "mongoose";

/** `ageMs` before MongoDB's present time. */
export async function mongoTimeAgo({ db }: { db: () => mongo.Db }, ageMs: number): Promise<Date> {
  const { localTime } = await db().command({ hello: 1 });
  return new Date(Number(localTime) - ageMs);
}
