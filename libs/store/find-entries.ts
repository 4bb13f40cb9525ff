// Looks up members' documents and the entries that heads are made of, in what a majority holds.
import { memberIdOf, memberRefOf, type MemberId } from "#domain/member-id.ts";
import { ANSWER_MS_MAX } from "#store/bounds.ts";
import type { Database } from "#store/database.ts";
import type { EntryDoc } from "#store/models.ts";

/** What a head needs of an entry. */
type HeadOfEntry = Pick<EntryDoc, "_id" | "xp" | "memberSince" | "appointedRank" | "removed" | "erasing">;
const HEAD_FIELDS = { xp: 1, memberSince: 1, appointedRank: 1, removed: 1, erasing: 1 } as const;

export type FindEntries = ReturnType<typeof makeFindEntries>;

export function makeFindEntries({ db }: Pick<Database, "db">) {
  /**
   * Those documents, by `_id`. As a plain command: the driver's cursor costs a twelfth of what a lone award costs
   * (measured).
   */
  async function findByIds<Doc>(collection: string, ids: readonly unknown[], projection: object = {}): Promise<Doc[]> {
    if (ids.length === 0) return [];
    // Majority: what is decided on these heads supposes that they cannot be rolled back. One batch: no second round
    // trip.
    const query = {
      find: collection,
      filter: { _id: { $in: ids } },
      projection,
      batchSize: ids.length + 1,
      singleBatch: true,
    };
    const reply = await db().command(
      { ...query, readConcern: { level: "majority" }, maxTimeMS: ANSWER_MS_MAX },
      // A command does not go by the client's useBigInt64.
      { useBigInt64: true },
    );
    return (reply["cursor"] as { firstBatch: Doc[] }).firstBatch;
  }

  /** By member; only entries that exist. */
  async function findEntries(wanted: readonly { id: MemberId; seq: number }[]): Promise<Map<MemberId, HeadOfEntry[]>> {
    const docs = await findByIds<HeadOfEntry>(
      "ledger",
      wanted.map(({ id, seq }) => entryIdOf(id, seq)),
      HEAD_FIELDS,
    );
    docs.sort((a, b) => a._id.seq - b._id.seq);
    return Map.groupBy(docs, (doc) => memberIdOf(doc._id));
  }

  /** For a document without its entry, as a restored backup or a hand may leave it. */
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

/** The fields of an `_id` have an order. */
function entryIdOf(id: MemberId, seq: number): EntryDoc["_id"] {
  const { clanId, platformId } = memberRefOf(id);
  return { clanId, platformId, seq };
}
