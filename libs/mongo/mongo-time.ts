// MongoDB's clock: the only one that decides what is old (docs/decisions/0036). A difference is taken between two of its
// times, so the clocks of the processes do not matter.
import type { Db } from "mongodb";

/**
 * How long ago the time in this field was, as a field of a projection. A router (mongos) sets $$NOW here and where the
 * field is written, so the clocks of the shards do not matter either (docs/decisions/0043).
 */
export function ageOf(field: string): object {
  return { $subtract: ["$$NOW", `$${field}`] };
}

/** `ageMs` before MongoDB's present time. */
export async function mongoTimeAgo({ db }: { db: () => Db }, ageMs: number): Promise<Date> {
  const { localTime } = await db().command({ hello: 1 });
  return new Date(Number(localTime) - ageMs);
}
