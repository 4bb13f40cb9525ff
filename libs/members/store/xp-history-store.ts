// Reads a member's entries for a chart of their XP, by their numbers, which have no gaps.
import { ANSWER_MS_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import type { EntryDoc } from "#ledger/store/entry-model.ts";
import { BY_ID, idsOfMember } from "#ledger/store/ledger-filters.ts";
import { NO_FENCE } from "#mongo/filters.ts";
import { MAJORITY, read } from "#mongo/mongo-calls.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { XpHistoryStore } from "#members/ports.ts";

/** Entries that each round of a search reads: three rounds find one among 200,000. */
const PROBES = 64;
const OPTIONS = { ...MAJORITY, hint: BY_ID, maxTimeMS: ANSWER_MS_MAX } as const;

export function makeXpHistoryStore({ db }: Pick<Database, "db">): XpHistoryStore {
  const entries = () => db().collection<EntryDoc>("ledger");
  const among = ({ clanId, platformId }: MemberRef, seqs: readonly number[]) =>
    idsOfMember({ clanId, platformId }, { $in: seqs.map((seq) => ({ clanId, platformId, seq })) });
  const between = ({ clanId, platformId }: MemberRef, from: number, to: number) =>
    idsOfMember(
      { clanId, platformId },
      { $gte: { clanId, platformId, seq: from }, $lte: { clanId, platformId, seq: to } },
    );

  return {
    ends: (member) =>
      read(async () => {
        const all = { ...between(member, 0, Number.MAX_SAFE_INTEGER), ...NO_FENCE };
        const options = { ...OPTIONS, projection: { at: 1 } };
        const [first, last] = await Promise.all([
          entries().findOne(all, { ...options, sort: { _id: 1 } }),
          entries().findOne(all, { ...options, sort: { _id: -1 } }),
        ]);
        if (!first || !last) return null;
        return { first: { seq: first._id.seq, at: first.at }, last: { seq: last._id.seq, at: last.at } };
      }),

    seqBefore: (member, { at, first, last }) =>
      read(async () => {
        // The one that is searched for is at `low` or above it, and below `high`.
        let [low, high] = [first, last + 1];
        while (high - low > 1) {
          const step = Math.ceil((high - low) / PROBES);
          const probes = evenly(low, high - 1, step);
          const docs = await entries()
            .find(among(member, probes), { ...OPTIONS, projection: { at: 1 } })
            .toArray();
          const seqs = docs.filter((doc) => doc.at < at).map(({ _id }) => _id.seq);
          low = Math.max(low, ...seqs);
          high = Math.min(high, low + step);
        }
        return low;
      }),

    highest: (member, { fromSeq, toSeq, from, spanMs }) =>
      read(async () => {
        const span = { $max: [-1, { $floor: { $divide: [{ $subtract: ["$at", from] }, spanMs] } }] };
        const docs = await entries()
          .aggregate<{ _id: number; highest: bigint; last: bigint }>(
            [
              { $match: { ...between(member, fromSeq, toSeq), ...NO_FENCE } },
              { $sort: { _id: 1 } },
              { $group: { _id: span, highest: { $max: "$xp" }, last: { $last: "$xp" } } },
            ],
            OPTIONS,
          )
          .toArray();
        return docs.map(({ _id, highest, last }) => ({ span: _id, highest, last }));
      }),
  };
}

function evenly(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);
}
