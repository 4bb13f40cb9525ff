// Deletes standings: by age, those that no period names any more, and a person's.
import { FINAL_POSITIONS_KEPT } from "#domain/board.ts";
import { pause } from "#async/pause.ts";
import type { PeriodDoc } from "#store/boards/period-model.ts";
import { STANDING_ORDER, type StandingDoc } from "#store/boards/standing-model.ts";
import { STANDINGS_PER_DELETION, UNNAMED_PAUSE_MS, UNNAMED_AGE_MS_MIN } from "#store/bounds.ts";
import type { Database } from "#store/database.ts";
import { ofClan } from "#store/filters.ts";
import { orUnavailable, rewrite } from "#store/mongo-calls.ts";
import { mongoTimeAgo } from "#store/mongo-time.ts";
import mongoose from "mongoose";
import type { EraseStandings, StandingUpkeep } from "#usecases/boards/ports.ts";

export function makeStandingUpkeep({ db }: Pick<Database, "db">): StandingUpkeep {
  const standings = () => db().collection<StandingDoc>("standings");
  const periods = () => db().collection<PeriodDoc>("periods");

  async function deleteSome(rows: string, filter: object, limit: number): Promise<number> {
    const found = standings().find({ rows, ...filter }, { hint: STANDING_ORDER, projection: { _id: 1 }, limit });
    const ids = (await found.toArray()).map(({ _id }) => _id);
    if (ids.length > 0) await standings().deleteMany({ _id: { $in: ids } });
    return ids.length;
  }

  /** Names in the order of the index, each once. */
  async function* names(): AsyncGenerator<string> {
    const next = (after: string) =>
      standings().findOne(
        { rows: { $gt: after } },
        { hint: STANDING_ORDER, sort: { rows: 1 }, projection: { rows: 1 } },
      );
    for (let doc = await next(""); doc; doc = await next(doc.rows)) yield doc.rows;
  }

  return {
    deleteOld: ({ olderThanMs, limit }) =>
      rewrite(async () => {
        const old = { trims: true as const, finalAt: { $lt: await mongoTimeAgo({ db }, olderThanMs) } };
        let deleted = 0;
        for (
          let period = await periods().findOne(old);
          period && deleted < limit;
          period = await periods().findOne(old)
        ) {
          const some = await deleteSome(period.rows, { position: { $gt: FINAL_POSITIONS_KEPT } }, limit - deleted);
          deleted += some;
          if (deleted < limit) await periods().updateOne({ _id: period._id }, { $unset: { trims: 1 } });
        }
        return deleted;
      }),

    deleteUnnamed: () =>
      orUnavailable(async () => {
        const known = new Set<string>(await periods().distinct("rows"));
        const unnamed: string[] = [];
        // A name is made before the period that has it.
        const youngestMs = Date.now() - UNNAMED_AGE_MS_MIN;
        for await (const rows of names())
          if (!known.has(rows) && new mongoose.mongo.ObjectId(rows).getTimestamp().getTime() < youngestMs)
            unnamed.push(rows);
        if (unnamed.length === 0) return 0;
        // A reader may have read the period before it had another name.
        await pause(UNNAMED_PAUSE_MS);
        let deleted = 0;
        for (const rows of unnamed)
          for (let some = -1; some !== 0; deleted += some) some = await deleteSome(rows, {}, STANDINGS_PER_DELETION);
        return deleted;
      }),
  };
}

export function makeEraseStandings({ db }: Pick<Database, "db">): EraseStandings {
  return ({ clanId, platformId }) =>
    rewrite(async () => {
      const options = { writeConcern: { w: "majority" } } as const;
      await db()
        .collection<StandingDoc>("standings")
        .deleteMany({ platformId, ...ofClan({ clanId }) }, options);
    });
}
