// Looks up members' documents and the entries from which heads are built, as stored by a majority.
import { memberIdOf, memberRefOf, type MemberId } from "#domain/member-id.ts";
import { ANSWER_MS_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import type { EntryDoc, HeadOfEntryDoc } from "#ledger/store/entry-model.ts";
import { amongIds, BY_API_KEY, BY_ID, idsOfMember } from "#ledger/store/ledger-filters.ts";
import { MAJORITY } from "#mongo/mongo-calls.ts";

const HEAD_FIELDS = {
  xp: 1,
  memberSince: 1,
  appointedRank: 1,
  removed: 1,
  gains: 1,
  erasing: 1,
  at: 1,
  lastAwardAt: 1,
  kind: 1,
  actor: 1,
} as const satisfies Partial<Record<keyof HeadOfEntryDoc, 1>>;

export type FindEntries = ReturnType<typeof makeFindEntries>;

export function makeFindEntries({ db }: Pick<Database, "db">) {
  /**
   * At most so many documents. As a plain command: the driver's cursor takes a twelfth of a single award's cost
   * (measured).
   */
  async function findSome<Doc>(
    query: { find: string; filter: object; projection: object },
    most: number,
  ): Promise<Doc[]> {
    if (most === 0) return [];
    // Majority: decisions on these heads require that they cannot be rolled back. One batch: no second round trip.
    const reply = await db().command(
      {
        ...query,
        batchSize: most + 1,
        singleBatch: true,
        ...MAJORITY,
        maxTimeMS: ANSWER_MS_MAX,
      },
      // The client's useBigInt64 does not apply to a command.
      { useBigInt64: true },
    );
    return (reply["cursor"] as { firstBatch: Doc[] }).firstBatch;
  }

  function findMembers<Fields>(ids: readonly string[], projection: object = {}): Promise<Fields[]> {
    return findSome({ find: "members", filter: { _id: { $in: ids } }, projection }, ids.length);
  }

  /** By member; only entries that exist. */
  async function findEntries(
    positions: readonly { id: MemberId; seq: number }[],
  ): Promise<Map<MemberId, HeadOfEntryDoc[]>> {
    const ids = positions.map(({ id, seq }) => entryIdOf(id, seq));
    const query = { find: "ledger", filter: amongIds(ids), hint: BY_ID, projection: HEAD_FIELDS } as const;
    const docs = await findSome<HeadOfEntryDoc>(query, ids.length);
    docs.sort((a, b) => a._id.seq - b._id.seq);
    return Map.groupBy(docs, (doc) => memberIdOf(doc._id));
  }

  /** For a document without its entry, which can result from a restored backup or a manual change. */
  async function findNewest(id: MemberId): Promise<HeadOfEntryDoc | null> {
    const range = { $gt: entryIdOf(id, 0), $lt: entryIdOf(id, Number.MAX_SAFE_INTEGER) };
    return await db()
      .collection<EntryDoc>("ledger")
      .findOne<HeadOfEntryDoc>(idsOfMember(memberRefOf(id), range), {
        sort: { _id: -1 },
        hint: BY_ID,
        projection: HEAD_FIELDS,
        ...MAJORITY,
      });
  }

  /**
   * The time of the newest award with an API key. It reads the entries behind it: only for a member whose head does not
   * say it.
   */
  async function findLastAwardAt(id: MemberId): Promise<Date | null> {
    const range = { $gt: entryIdOf(id, 0), $lt: entryIdOf(id, Number.MAX_SAFE_INTEGER) };
    const award = await db()
      .collection<EntryDoc>("ledger")
      .findOne<Pick<EntryDoc, "at">>(
        { ...idsOfMember(memberRefOf(id), range), ...BY_API_KEY },
        { sort: { _id: -1 }, hint: BY_ID, projection: { at: 1 }, ...MAJORITY },
      );
    return award?.at ?? null;
  }

  return { findMembers, findEntries, findNewest, findLastAwardAt };
}

/** The fields of an `_id` are ordered. */
function entryIdOf(id: MemberId, seq: number): EntryDoc["_id"] {
  const { clanId, platformId } = memberRefOf(id);
  return { clanId, platformId, seq };
}
