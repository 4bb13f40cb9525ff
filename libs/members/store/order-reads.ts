// Reads an order of members by XP from its index alone.
import { ANSWER_MS_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { MAJORITY, read } from "#mongo/mongo-calls.ts";
import type { OrderStore } from "#members/ports.ts";

/** `rangeOf`: options of a find, from this place on. `place`: the fields of a place, which the index has. */
export function makeOrderReads<Place extends { xp: bigint }>(deps: {
  db: Database["db"];
  collection: string;
  rangeOf: (id: string, from: Place | null) => object;
  place: Record<keyof Place, 1>;
}): OrderStore<Place> {
  const { db, collection, rangeOf, place } = deps;

  /**
   * Only keys of the index, no documents. As a plain command: the driver's cursor takes several times as long for
   * 10,000 of them (measured).
   */
  async function keys<Key extends Pick<Place, "xp">>(
    options: { limit: number; skip?: number },
    projection: object,
  ): Promise<Key[]> {
    const reply = await db().command(
      {
        find: collection,
        ...options,
        projection: { _id: 0, ...projection },
        batchSize: options.limit + 1,
        singleBatch: true,
        ...MAJORITY,
        maxTimeMS: ANSWER_MS_MAX,
      },
      { useBigInt64: true },
    );
    // What something else has written is not counted until it is rebuilt.
    return (reply["cursor"] as { firstBatch: Key[] }).firstBatch.filter(({ xp }) => typeof xp === "bigint");
  }

  return {
    listXp: (id, { from, limit }) =>
      read(async () => (await keys({ ...rangeOf(id, from), limit }, { xp: 1 })).map(({ xp }) => xp)),

    skip: (id, from, members) =>
      read(async () => {
        const [found] = await keys<Place>({ ...rangeOf(id, from), skip: members, limit: 1 }, place);
        return found ?? null;
      }),
  };
}
