// The members' heads, read from what a majority holds. The ledger is the truth: a member's document only says where to
// look in it.
import { NEW_HEAD, type Head } from "#domain/member.ts";
import { ANSWER_MS_MAX, IDS_PER_READ_MAX, NEWEST_LOOKS_MAX, SEQS_PER_LOOK_MAX } from "#store/bounds.ts";
import type { Database } from "#store/database.ts";
import { headOfDoc, headOfEntryDoc } from "#store/documents.ts";
import { read } from "#store/mongo-calls.ts";
import type { EntryDoc, MemberDoc } from "#store/models.ts";
import { memberIdOf, memberRefOf, type MemberId } from "#domain/member-id.ts";
import type { AwardStore, Heads } from "#usecases/awards/ports.ts";

/** What a head needs of an entry. */
type HeadOfEntry = Pick<EntryDoc, "_id" | "xp" | "memberSince" | "appointedRank" | "removed" | "erasing">;
const HEAD_FIELDS = { xp: 1, memberSince: 1, appointedRank: 1, removed: 1, erasing: 1 } as const;

export function makeHeadReads({
  db,
}: Pick<Database, "db">): Pick<AwardStore, "readHeads" | "advanceHeads" | "readHeadsAt"> {
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

  async function readHeads(ids: readonly MemberId[]): Promise<Heads> {
    const docs = new Map((await findByIds<MemberDoc>("members", ids)).map((doc) => [doc._id as MemberId, doc]));
    // The entry that the document stands for, and the one behind it, which mostly does not exist.
    const entries = await findEntries(
      ids.flatMap((id) => {
        const seq = seqOf(docs.get(id));
        return seq > 0
          ? [
              { id, seq },
              { id, seq: seq + 1 },
            ]
          : [{ id, seq: 1 }];
      }),
    );
    const heads = new Map<MemberId, Head>();
    const behind: MemberId[] = [];
    for (const id of ids) {
      const doc = docs.get(id);
      const found = entries.get(id) ?? [];
      const isThere = seqOf(doc) === 0 || found[0]?._id.seq === seqOf(doc);
      const newest = isThere ? found.at(-1) : await findNewest(id);
      if (newest)
        heads.set(
          id,
          headOfEntryDoc(newest, () => (doc ? headOfDoc(doc) : NEW_HEAD)),
        );
      else if (doc) heads.set(id, headOfDoc(doc));
      if (newest && newest._id.seq > seqOf(doc)) behind.push(id);
    }
    return await advance(behind, heads);
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

  /** For a few hot members, whose documents may be thousands of entries behind. */
  async function toNewest(ids: readonly MemberId[], heads: Map<MemberId, Head>): Promise<Heads> {
    const newest = await Promise.all(ids.map(findNewest));
    for (const [index, id] of ids.entries()) {
      const entry = newest[index];
      const before = heads.get(id) ?? NEW_HEAD;
      if (entry && entry._id.seq > before.seq)
        heads.set(
          id,
          headOfEntryDoc(entry, () => before),
        );
    }
    return heads;
  }

  /**
   * Moves heads forward over the entries behind them: one is looked for, and more at once only of those that have it.
   */
  async function advance(ids: readonly MemberId[], from: Heads): Promise<Heads> {
    const heads = new Map(from);
    let behind = [...ids];
    for (
      let seqs = 1;
      behind.length > 0;
      seqs = Math.min(seqs * 8, SEQS_PER_LOOK_MAX, Math.ceil(IDS_PER_READ_MAX / behind.length))
    ) {
      if (seqs > 8 && behind.length <= NEWEST_LOOKS_MAX) return await toNewest(behind, heads);
      const wanted = behind.flatMap((id) => {
        const seq = heads.get(id)?.seq ?? 0;
        return Array.from({ length: seqs }, (_, index) => ({ id, seq: seq + 1 + index }));
      });
      const entries = await findEntries(wanted);
      behind = behind.filter((id) => {
        const before = heads.get(id) ?? NEW_HEAD;
        const newest = entries.get(id)?.at(-1);
        if (newest)
          heads.set(
            id,
            headOfEntryDoc(newest, () => before),
          );
        return newest?._id.seq === before.seq + seqs;
      });
    }
    return heads;
  }

  return {
    readHeads: (refs) => read(() => readHeads([...new Set(refs.map(memberIdOf))])),
    advanceHeads: (known) => read(() => advance([...known.keys()], known)),
    readHeadsAt: (seqs) =>
      read(async () => {
        const entries = await findEntries([...seqs].map(([id, seq]) => ({ id, seq })));
        const heads = new Map<MemberId, Head>();
        for (const [id, [doc]] of entries) {
          // An entry of version 0.1.0 does not tell a whole head.
          if (doc && doc.memberSince !== undefined)
            heads.set(
              id,
              headOfEntryDoc(doc, () => NEW_HEAD),
            );
        }
        return heads;
      }),
  };
}

/** 0 also for what a hand has written that is no number. */
function seqOf(doc: MemberDoc | undefined): number {
  return Number.isSafeInteger(doc?.seq) ? (doc?.seq ?? 0) : 0;
}

/** The fields of an `_id` have an order. */
function entryIdOf(id: MemberId, seq: number): EntryDoc["_id"] {
  const { clanId, platformId } = memberRefOf(id);
  return { clanId, platformId, seq };
}
