// Reads from the ledger what awards of API keys gave, and the reversals of these.
import type { ClientSession } from "mongodb";
import { REVERSAL_KEYS } from "#domain/award-key.ts";
import type { Database } from "#mongo/database.ts";
import { ANSWER_MS_MAX } from "#mongo/bounds.ts";
import { bigintOf } from "#mongo/bigint-of.ts";
import { NO_FENCE } from "#mongo/filters.ts";
import { BY_KEY, type EntryDoc } from "#ledger/store/entry-model.ts";
import { amongIds, BY_API_KEY, BY_ID, idsOfMember } from "#ledger/store/ledger-filters.ts";
import { groupsOf, MAJORITY, read } from "#mongo/mongo-calls.ts";
import type { GainedAwards, GainSpan, ReversedAward } from "#gains/ports.ts";

type ReversalDoc = Pick<EntryDoc, "_id" | "applied" | "reversesSeq">;
/** Reversals whose awards are read together. */
const REVERSALS_TOGETHER = 1_000;

/** Decimals, because the sum may have more than 64 bits. */
export const EXACT_SUM = { $sum: { $toDecimal: "$applied" } } as const;

/** Entries that count as gains of a span. */
export function gainsIn({ from, to }: GainSpan) {
  return { at: { $gte: from, $lt: to }, ...BY_API_KEY, ...NO_FENCE };
}

/** `session`: of a snapshot. */
export function makeGainedAwards({ db }: Pick<Database, "db">, session?: ClientSession): GainedAwards {
  const ledger = () => db().collection<EntryDoc>("ledger");
  const reading = session ? { session } : MAJORITY;

  async function awardsOf(reversals: readonly ReversalDoc[], span: GainSpan): Promise<ReversedAward[]> {
    const applied = new Map(reversals.map((doc) => [keyOf(doc._id, doc.reversesSeq), bigintOf(doc.applied)]));
    const ids = reversals.map(({ _id, reversesSeq = 0 }) => ({ ..._id, seq: reversesSeq }));
    const options = { ...reading, hint: BY_ID, projection: { at: 1 } } as const;
    const docs = await read(() =>
      ledger()
        .find<Pick<EntryDoc, "_id" | "at">>({ ...amongIds(ids), ...gainsIn(span) }, options)
        .toArray(),
    );
    return docs.map(({ _id, at }) => {
      return { platformId: _id.platformId, at, applied: applied.get(keyOf(_id, _id.seq)) ?? 0n };
    });
  }

  return {
    quarters: ({ clanId, platformId }, span) =>
      read(async () => {
        const chain = {
          $gt: { clanId, platformId, seq: 0 },
          $lt: { clanId, platformId, seq: Number.MAX_SAFE_INTEGER },
        };
        const quarter = { $dateTrunc: { date: "$at", unit: "minute", binSize: 15 } };
        const sums = await ledger()
          .aggregate<{ _id: Date; xp: unknown; awards: number }>(
            [
              { $match: { ...idsOfMember({ clanId, platformId }, chain), ...gainsIn(span) } },
              { $group: { _id: quarter, xp: EXACT_SUM, awards: { $sum: 1 } } },
            ],
            { ...reading, hint: BY_ID, maxTimeMS: ANSWER_MS_MAX },
          )
          .toArray();
        return sums.map(({ _id, xp, awards }) => ({ at: _id, xp: BigInt(String(xp)), awards }));
      }),

    async reversed(clanId, platformIds, span) {
      const filter = {
        "_id.clanId": clanId,
        "_id.platformId": { $in: [...platformIds] },
        key: REVERSAL_KEYS,
        ...NO_FENCE,
      };
      const projection = { applied: 1, reversesSeq: 1 };
      const cursor = ledger().find<ReversalDoc>(filter, {
        ...reading,
        hint: BY_KEY,
        projection,
        batchSize: REVERSALS_TOGETHER,
      });
      const found: ReversedAward[] = [];
      for await (const reversals of groupsOf(cursor)) found.push(...(await awardsOf(reversals, span)));
      return found;
    },
  };
}

function keyOf({ platformId }: EntryDoc["_id"], seq = 0): string {
  return `${platformId}/${seq}`;
}
