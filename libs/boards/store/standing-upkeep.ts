// Deletes standings: by age, those that were discarded, and a person's.
import { FINAL_POSITIONS_KEPT } from "#domain/board.ts";
import type { PeriodDoc } from "#boards/store/period-model.ts";
import { STANDING_ORDER, type StandingDoc } from "#boards/store/standing-model.ts";
import { STANDINGS_PER_DELETION } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { ofClan } from "#mongo/filters.ts";
import { orUnavailable, rewrite } from "#mongo/mongo-calls.ts";
import { mongoTimeAgo } from "#mongo/mongo-time.ts";
import type { EraseStandings, StandingUpkeep } from "#boards/ports.ts";

export function makeStandingUpkeep({ db }: Pick<Database, "db">): StandingUpkeep {
  const standings = () => db().collection<StandingDoc>("standings");
  const periods = () => db().collection<PeriodDoc>("periods");

  async function deleteSome(rows: string, filter: object, limit: number): Promise<number> {
    const found = standings().find({ rows, ...filter }, { hint: STANDING_ORDER, projection: { _id: 1 }, limit });
    const ids = (await found.toArray()).map(({ _id }) => _id);
    if (ids.length > 0) await standings().deleteMany({ _id: { $in: ids } });
    return ids.length;
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

    deleteDiscarded: (olderThanMs) =>
      orUnavailable(async () => {
        const old = { discardedAt: { $lt: await mongoTimeAgo({ db }, olderThanMs) } };
        let deleted = 0;
        for (let period = await periods().findOne(old); period; period = await periods().findOne(old)) {
          const { _id, discarded = [], removed } = period;
          for (const rows of discarded)
            for (let some = -1; some !== 0; deleted += some) some = await deleteSome(rows, {}, STANDINGS_PER_DELETION);
          // Unless another name was added meanwhile.
          const same = { _id, ...old };
          if (removed) await periods().deleteOne(same);
          else await periods().updateOne(same, { $unset: { discarded: 1, discardedAt: 1 } });
        }
        return deleted;
      }),
  };
}

export function makeEraseStandings({ db }: Pick<Database, "db">): EraseStandings {
  return ({ clanId, platformId }) =>
    rewrite(async () => {
      const options = { writeConcern: { w: "majority" } } as const;
      const own = { platformId, ...ofClan({ clanId }) };
      return (await db().collection<StandingDoc>("standings").deleteMany(own, options)).deletedCount > 0;
    });
}
