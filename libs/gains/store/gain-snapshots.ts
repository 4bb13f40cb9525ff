// Reads a span of the ledger as it was at one moment, in a snapshot session: what is awarded or reversed while it is
// counted does not count in part.
import type { ClientSession } from "mongodb";
import { ANSWER_MS_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { EXACT_SUM, gainsIn, makeGainedAwards } from "#gains/store/gained-awards.ts";
import { BY_TIME, type EntryDoc } from "#ledger/store/entry-model.ts";
import { groupsOf, orUnavailable, read } from "#mongo/mongo-calls.ts";
import type { GainSnapshot, ReadSnapshot } from "#gains/ports.ts";

type Sums = { _id: string; xp: unknown; awards: number; first: Date; last: Date };
/** Members in one reply: two milliseconds of this process. */
const MEMBERS_PER_REPLY = 500;

export function makeReadSnapshot({ db }: Pick<Database, "db">): ReadSnapshot {
  return (readAll) =>
    orUnavailable(async () => {
      const session = db().client.startSession({ snapshot: true });
      try {
        return await readAll(snapshotOf(db, session));
      } finally {
        await session.endSession();
      }
    });
}

function snapshotOf(db: Database["db"], session: ClientSession): GainSnapshot {
  const ledger = () => db().collection<EntryDoc>("ledger");
  const reading = { session, hint: BY_TIME, maxTimeMS: ANSWER_MS_MAX } as const;
  return {
    reversed: makeGainedAwards({ db }, session).reversed,

    skip: (clanId, { from, to }, entries) =>
      read(async () => {
        const span = { "_id.clanId": clanId, at: { $gte: from, $lt: to } };
        const options = { ...reading, sort: BY_TIME, skip: entries, projection: { _id: 0, at: 1 } } as const;
        return (await ledger().findOne<{ at: Date }>(span, options))?.at ?? null;
      }),

    async *awards(clanId, span) {
      const sums = { xp: EXACT_SUM, awards: { $sum: 1 }, first: { $min: "$at" }, last: { $max: "$at" } };
      const cursor = ledger().aggregate<Sums>(
        [{ $match: { "_id.clanId": clanId, ...gainsIn(span) } }, { $group: { _id: "$_id.platformId", ...sums } }],
        { ...reading, batchSize: MEMBERS_PER_REPLY },
      );
      for await (const group of groupsOf(cursor))
        yield group.map(({ _id, xp, awards, first, last }) => {
          return { platformId: _id, xp: BigInt(String(xp)), awards, firstAwardAt: first, lastAwardAt: last };
        });
    },
  };
}
