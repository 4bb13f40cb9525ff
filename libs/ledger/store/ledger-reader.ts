// Reads the ledger, whose entries never change. Reads have majority concern: an election cannot roll back what they
// return.
import type { Db } from "mongodb";
import { chunks } from "#async/chunks.ts";
import { ANSWER_MS_MAX, CLANS_PER_READ, ENTRIES_PER_READ } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { BY_KEY, entryOfDoc, type EntryDoc } from "#ledger/store/entry-model.ts";
import { BY_ID, idsOfClan } from "#ledger/store/ledger-filters.ts";
import { makeListOfMember } from "#ledger/store/list-of-member.ts";
import { NO_FENCE } from "#mongo/filters.ts";
import { MAJORITY, read } from "#mongo/mongo-calls.ts";
import { BEHIND } from "#mongo/ranges.ts";
import { memberIdOf, type MemberRef } from "#domain/member-id.ts";
import { pageOf } from "#domain/page.ts";
import type { LedgerReader } from "#members/ports.ts";
import type { LedgerChanges, Rest } from "#ledger/ports.ts";

export function makeLedgerReader({ db }: Pick<Database, "db">): LedgerReader & LedgerChanges {
  return {
    listOfMember: makeListOfMember({ db }),

    findByKeys(clanId, { platformIds, keys }) {
      return read(async () => {
        // Each member with each key: one walk over the unique index, which skips from member to member.
        const filter = { "_id.clanId": clanId, "_id.platformId": { $in: [...platformIds] }, key: { $in: [...keys] } };
        const options = { ...MAJORITY, projection: { key: 1 }, hint: BY_KEY } as const;
        const found = db().collection<EntryDoc>("ledger").find(filter, options);
        return new Map((await found.toArray()).map(({ key, _id }) => [key, _id.seq]));
      });
    },

    count(clanId) {
      const options = { maxTimeMS: ANSWER_MS_MAX, hint: BY_KEY } as const;
      return read(() => db().collection<EntryDoc>("ledger").countDocuments({ "_id.clanId": clanId }, options));
    },

    listOfClan(clanId, { limit, after }) {
      return read(async () => {
        // One range for each page: a cursor would expire when its reader pauses for minutes.
        const from = after ? { clanId, ...after } : { clanId, platformId: "", seq: 0 };
        const below = { clanId, platformId: BEHIND, seq: 0 };
        const docs = await db()
          .collection<EntryDoc>("ledger")
          .find({ ...idsOfClan(clanId, { $gt: from, $lt: below }), ...NO_FENCE }, { ...MAJORITY, hint: BY_ID })
          .sort({ _id: 1 })
          .limit(limit + 1)
          .toArray();
        return pageOf(docs.map(entryOfDoc), limit, ({ platformId, seq }) => ({ platformId, seq }));
      });
    },

    async *listChanged(clanIds, since, rest = async () => {}) {
      for (const group of chunks(clanIds, CLANS_PER_READ)) yield* changedIn(db(), group, { since, rest });
    },
  };
}

type Changed = MemberRef & { firstSeq: number };

async function* changedIn(
  db: Db,
  clanIds: readonly string[],
  { since, rest }: { since: Date; rest: Rest },
): AsyncGenerator<Changed[]> {
  const filter = { "_id.clanId": { $in: clanIds }, at: { $gte: since } };
  const cursor = db
    .collection<EntryDoc>("ledger")
    .find(filter, { ...MAJORITY, projection: { _id: 1 }, batchSize: ENTRIES_PER_READ });
  const members = new Map<string, Changed>();
  try {
    for (;;) {
      const beganAtMs = performance.now();
      if (!(await read(() => cursor.hasNext()))) break;
      for (const { _id } of cursor.readBufferedDocuments()) {
        const { clanId, platformId, seq } = _id;
        const known = members.get(memberIdOf(_id));
        members.set(memberIdOf(_id), { clanId, platformId, firstSeq: Math.min(seq, known?.firstSeq ?? seq) });
      }
      await rest(performance.now() - beganAtMs);
      if (members.size < ENTRIES_PER_READ) continue;
      yield [...members.values()];
      members.clear();
    }
    if (members.size > 0) yield [...members.values()];
  } finally {
    await cursor.close().catch(() => {});
  }
}
