// The standings of members in periods.
//
// Invariant: a standing is written only over the one that it was derived from, or over one that contains fewer entries.
import type { mongo } from "mongoose";
import { AppError } from "#kernel/app-error.ts";
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
import { DURABLE, MAJORITY, orUnavailable, read, rewrite } from "#mongo/mongo-calls.ts";
import { DUPLICATE_KEY } from "#mongo/mongo-errors.ts";
import { idsUnder } from "#mongo/ranges.ts";
import type { MemberStanding, StandingPlace, StandingStore } from "#boards/ports.ts";
import { pageOf, type Page } from "#domain/page.ts";
import type { OrderStore } from "#members/ports.ts";

/** Ids in one read: some tens of kilobytes. */
const MEMBERS_PER_READ = 1_000;
type UpdateReply = {
  writeErrors?: { index: number; code: number; errmsg: string }[];
  writeConcernError?: mongo.Document;
};

// oxlint-disable-next-line eslint/max-lines-per-function -- one function for each method of the port
export function makeStandingStore({ db }: Pick<Database, "db">): StandingStore {
  const standings = () => db().collection<StandingDoc>("standings");

  /**
   * Returns which of these statements found another document than they expected. Each is an upsert, so that it then
   * fails with an equal `_id`.
   */
  async function update(updates: readonly mongo.Document[]): Promise<ReadonlySet<number>> {
    if (updates.length === 0) return new Set();
    const command = { update: "standings", updates, ordered: false, ...DURABLE } as const;
    const { writeErrors = [], writeConcernError } = (await db().command(command)) as UpdateReply;
    const failed = writeErrors.find(({ code }) => code !== DUPLICATE_KEY);
    if (failed ?? writeConcernError)
      throw new AppError("unavailable", "MongoDB did not store standings: try again shortly.", {
        cause: failed ?? writeConcernError,
      });
    return new Set(writeErrors.map(({ index }) => index));
  }

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
    read: (rows, members) =>
      read(async () => {
        const ids = rows.flatMap((name) => members.map(({ platformId }) => standingKey(name, platformId)));
        const docs =
          ids.length === 0
            ? []
            : await standings()
                .find({ _id: { $in: ids } }, MAJORITY)
                .toArray();
        const byRows = Map.groupBy(docs, (doc) => doc.rows);
        return new Map(
          [...byRows].map(([name, found]) => [name, new Map(found.map((doc) => [doc.platformId, standingOfDoc(doc)]))]),
        );
      }),

    write: (writes) =>
      rewrite(async () => {
        const updates = writes.map(({ rows, member, before, standing }) => {
          const u = standingDoc(rows, member, standing);
          return { q: { _id: u._id, seq: before ?? -1 }, u, upsert: true };
        });
        const others = await update(updates);
        return new Set(writes.filter((_, index) => others.has(index)).map(({ member }) => member.platformId));
      }),

    replace: (writes) =>
      rewrite(async () => {
        const updates = writes.map(({ rows, member, standing }) => {
          const u = standingDoc(rows, member, standing);
          return { q: { _id: u._id, seq: { $lte: standing.seq } }, u, upsert: true };
        });
        return (await update(updates)).size === 0;
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

    readMany: (rows, platformIds) =>
      read(async () => {
        const ids = platformIds.map((platformId) => standingKey(rows, platformId));
        const docs = await standings()
          .find({ _id: { $in: ids } }, MAJORITY)
          .toArray();
        return new Map(docs.map((doc) => [doc.platformId, standingOfDoc(doc)]));
      }),

    sum: (rows) =>
      orUnavailable(async () => {
        // Decimals, because the sum may have more than 64 bits.
        const sums = { _id: null, awards: { $sum: "$awards" }, xp: { $sum: { $toDecimal: "$xp" } } };
        const [found] = await standings()
          .aggregate<{ awards: number; xp: mongo.Decimal128 }>([{ $match: { rows } }, { $group: sums }], {
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
