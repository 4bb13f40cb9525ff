// Looks up members' documents and the entries from which heads are built, as stored by a majority.
import { memberIdOf, memberRefOf, type MemberId } from "#domain/member-id.ts";
import { ANSWER_MS_MAX } from "#store/bounds.ts";
import type { Database } from "#store/database.ts";
import type { EntryDoc } from "#store/awards/entry-model.ts";

/** The fields of an entry that a head needs. */
type HeadOfEntry = Pick<EntryDoc, "_id" | "xp" | "memberSince" | "appointedRank" | "removed" | "erasing">;
const HEAD_FIELDS = { xp: 1, memberSince: 1, appointedRank: 1, removed: 1, erasing: 1 } as const;

export type FindEntries = ReturnType<typeof makeFindEntries>;

export function makeFindEntries({ db }: Pick<Database, "db">) {
  /**
   * Those documents, by `_id`. As a plain command: the driver's cursor takes a twelfth of a single award's cost
   * (measured).
   */
  async function findByIds<Doc>(collection: string, ids: readonly unknown[], projection: object = {}): Promise<Doc[]> {
    if (ids.length === 0) return [];
    // Majority: decisions on these heads require that they cannot be rolled back. One batch: no second round trip.
    const query = {
      find: collection,
      filter: { _id: { $in: ids } },
      projection,
      batchSize: ids.length + 1,
      singleBatch: true,
    };
    const reply = await db().command(
      { ...query, readConcern: { level: "majority" }, maxTimeMS: ANSWER_MS_MAX },
      // The client's useBigInt64 does not apply to a command.
      { useBigInt64: true },
    );
    return (reply["cursor"] as { firstBatch: Doc[] }).firstBatch;
  }

  /** By member; only entries that exist. */
  async function findEntries(
    positions: readonly { id: MemberId; seq: number }[],
  ): Promise<Map<MemberId, HeadOfEntry[]>> {
    const docs = await findByIds<HeadOfEntry>(
      "ledger",
      positions.map(({ id, seq }) => entryIdOf(id, seq)),
      HEAD_FIELDS,
    );
    docs.sort((a, b) => a._id.seq - b._id.seq);
    return Map.groupBy(docs, (doc) => memberIdOf(doc._id));
  }

  /** For a document without its entry, which can result from a restored backup or a manual change. */
  async function findNewest(id: MemberId): Promise<HeadOfEntry | null> {
    const range = { $gt: entryIdOf(id, 0), $lt: entryIdOf(id, Number.MAX_SAFE_INTEGER) };
    return await db()
      .collection<EntryDoc>("ledger")
      .findOne<HeadOfEntry>(
        { _id: range },
        { sort: { _id: -1 }, projection: HEAD_FIELDS, readConcern: { level: "majority" } },
      );
  }

  return { findByIds, findEntries, findNewest };
}

/** The fields of an `_id` are ordered. */
function entryIdOf(id: MemberId, seq: number): EntryDoc["_id"] {
  const { clanId, platformId } = memberRefOf(id);
  return { clanId, platformId, seq };
}
