// The standings of members in periods.
//
// Invariant: a standing is written only over one that contains fewer entries. So any number of processes may count the
// same ones, and none has to know of another.
import type { Decimal128 } from "mongodb";
import type { Database } from "#mongo/database.ts";
import {
  STANDING_ORDER,
  STANDING_ORDER_UPWARDS,
  standingDoc,
  standingKey,
  standingOfDoc,
  type StandingDoc,
} from "#boards/store/standing-model.ts";
import { standingRange } from "#boards/store/standing-range.ts";
import { makeOrderReads } from "#members/store/order-reads.ts";
import { COUNT_MS_MAX } from "#mongo/bounds.ts";
import { MAJORITY, orUnavailable, read, rewrite } from "#mongo/mongo-calls.ts";
import { idsUnder } from "#mongo/ranges.ts";
import type { MemberStanding, StandingPlace, StandingStore } from "#boards/ports.ts";
import { pageOf, type Page } from "#domain/page.ts";
import type { OrderStore } from "#members/ports.ts";

/** Ids in one read: some tens of kilobytes. */
const MEMBERS_PER_READ = 1_000;

// oxlint-disable-next-line eslint/max-lines-per-function -- one function for each method of the port
export function makeStandingStore({ db }: Pick<Database, "db">): StandingStore {
  const standings = () => db().collection<StandingDoc>("standings");

  /** In the order of the period, or in the other one. */
  function listed(
    rows: string,
    range: Parameters<typeof standingRange>[1],
    limit: number,
    sort: Record<string, 1 | -1> = STANDING_ORDER,
  ): Promise<StandingDoc[]> {
    if (limit === 0) return Promise.resolve([]);
    const options = { ...standingRange(rows, range), ...MAJORITY };
    return standings().find({}, options).sort(sort).limit(limit).toArray();
  }

  return {
    read: (asked) =>
      read(async () => {
        const ids = asked.map(({ rows, platformId }) => standingKey(rows, platformId));
        if (ids.length === 0) return new Map();
        const found = standings().find({ _id: { $in: ids } }, MAJORITY);
        const byMember = Map.groupBy(await found.toArray(), ({ platformId }) => platformId);
        return new Map(
          [...byMember].map(([id, docs]) => [id, new Map(docs.map((doc) => [doc.rows, standingOfDoc(doc)]))]),
        );
      }),

    write: (writes, { isWhole }) =>
      rewrite(async () => {
        // The filter is `_id` alone: then MongoDB repeats an upsert during which another one has inserted the document.
        const updates = writes.map(({ rows, member, standing }) => {
          const next = standingDoc(rows, member, standing);
          const isNewer = { [isWhole ? "$lte" : "$lt"]: [{ $ifNull: ["$seq", -1] }, next.seq] };
          const update = [{ $replaceWith: { $cond: [isNewer, { $literal: next }, "$$ROOT"] } }];
          return { updateOne: { filter: { _id: next._id }, update, upsert: true } };
        });
        if (updates.length > 0) await standings().bulkWrite(updates, { ordered: false });
      }),

    list: (rows, { limit, after }) => read(async () => standingsPage(await listed(rows, { after }, limit + 1), limit)),

    listAround: (rows, { platformId, limit }) =>
      read(async () => {
        const own = await standings().findOne({ _id: standingKey(rows, platformId) }, MAJORITY);
        if (!own || own.removed) return null;
        const [above, below] = await Promise.all([
          listed(rows, { to: own }, limit - 1, STANDING_ORDER_UPWARDS),
          listed(rows, { after: own }, limit),
        ]);
        // Members may have moved between the reads.
        const others = below.filter(({ _id }) => _id !== own._id && above.every((other) => other._id !== _id));
        const shownAbove = Math.max(Math.floor((limit - 1) / 2), limit - 1 - others.length);
        return standingsPage([...above.slice(0, shownAbove).toReversed(), own, ...others], limit);
      }),

    sum: (rows) =>
      orUnavailable(async () => {
        // Decimals, because the sum may have more than 64 bits.
        const sums = { _id: null, awards: { $sum: "$awards" }, xp: { $sum: { $toDecimal: "$xp" } } };
        const [found] = await standings()
          .aggregate<{ awards: number; xp: Decimal128 }>([{ $match: { rows } }, { $group: sums }], {
            ...MAJORITY,
            hint: STANDING_ORDER,
            maxTimeMS: COUNT_MS_MAX,
          })
          .toArray();
        return { awards: found?.awards ?? 0, xp: BigInt(String(found?.xp ?? 0)) };
      }),

    insertFinal: (rows, clanId, copied) =>
      rewrite(async () => {
        const docs = copied.map((standing) => ({
          ...standingDoc(rows, { clanId, platformId: standing.platformId }, standing),
          position: standing.position,
        }));
        if (docs.length > 0) await standings().insertMany(docs);
      }),

    async *listMembers(rows) {
      for (let after = ""; ;) {
        const filter = { _id: { ...idsUnder(rows), $gt: standingKey(rows, after) } };
        const docs = await read(() =>
          standings()
            .find(filter, { ...MAJORITY, projection: { platformId: 1 } })
            .sort({ _id: 1 })
            .limit(MEMBERS_PER_READ)
            .toArray(),
        );
        const last = docs.at(-1);
        if (!last) return;
        yield docs.map(({ platformId }) => platformId);
        after = last.platformId;
      }
    },
  };
}

/** The order of the members on the board in a period, for positions. */
export function makeStandingOrder({ db }: Pick<Database, "db">): OrderStore<StandingPlace> {
  return makeOrderReads<StandingPlace>({
    db,
    collection: "standings",
    rangeOf: (rows, from) => standingRange(rows, { from }),
    place: { xp: 1, reachedAt: 1, platformId: 1 },
  });
}

/** `docs`: more than `limit`, if there are more. */
function standingsPage(docs: readonly StandingDoc[], limit: number): Page<MemberStanding, StandingPlace> {
  return pageOf(docs.map(standingOfDoc), limit, ({ xp, reachedAt, platformId }) => ({ xp, reachedAt, platformId }));
}
