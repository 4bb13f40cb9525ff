// The hours of clans that were counted from the ledger.
import { type Db, ObjectId } from "mongodb";
import { COUNT_MS_MAX } from "#mongo/bounds.ts";
import type { ActivityDoc, QuarterDoc } from "#activity/store/activity-model.ts";
import { cellsOf } from "#activity/store/cells-of.ts";
import type { Database } from "#mongo/database.ts";
import { isDuplicateKey } from "#mongo/mongo-errors.ts";
import { MAJORITY, orUnavailable, read, rewrite } from "#mongo/mongo-calls.ts";
import type { Cell, CountedHour, CountedHours, ForgetHours } from "#activity/ports.ts";

const [QUARTER_MINUTES, QUARTER_MS, HOUR_MS] = [15, 15 * 60_000, 3_600_000];
/** What is counted. An hour that was counted in another way is of another generation. */
const WAY = "2";

const activityIn = (db: Db) => db.collection<ActivityDoc>("activity");
const generationId = (clanId: string): ActivityDoc["_id"] => ({ clanId, hour: null });

export function makeCountedHours({ db }: Pick<Database, "db">): CountedHours {
  return {
    generation: (clanId) =>
      read(async () => {
        const doc = await activityIn(db()).findOne({ _id: generationId(clanId) }, MAJORITY);
        return `${doc?.generation ?? ""}/${WAY}`;
      }),

    list: (clanId, generation, { from, to }) =>
      read(async () => {
        const range = { $gte: { clanId, hour: from }, $lt: { clanId, hour: to } };
        const docs = await activityIn(db())
          .find({ _id: range, generation }, { ...MAJORITY, sort: { _id: 1 }, batchSize: 10_000 })
          .toArray();
        return docs.map(hourOf);
      }),

    count: (clanId, period) =>
      orUnavailable(async () => {
        const of = { ...period, clanId, minutes: QUARTER_MINUTES, maxTimeMS: COUNT_MS_MAX };
        const byHour = Map.groupBy(await cellsOf(db(), of), ({ startMs }) => Math.floor(startMs / HOUR_MS) * HOUR_MS);
        const hours = (period.to.getTime() - period.from.getTime()) / HOUR_MS;
        return Array.from({ length: hours }, (_, index) => {
          const startMs = period.from.getTime() + index * HOUR_MS;
          return { startMs, quarters: byHour.get(startMs) ?? [] };
        });
      }),

    store: (clanId, generation, hours) =>
      rewrite(async () => {
        const writes = hours.map((hour) => {
          const replacement = docOf(generation, hour);
          return {
            replaceOne: { filter: { _id: { clanId, hour: new Date(hour.startMs) } }, replacement, upsert: true },
          };
        });
        // Another process has just counted the same hour.
        await activityIn(db())
          .bulkWrite(writes, { ordered: false })
          .catch((error: unknown) => {
            if (!isDuplicateKey(error)) throw error;
          });
      }),
  };
}

/** For an erasure, after its entries are deleted, and for a rebuild. */
export function makeForgetHours({ db }: Pick<Database, "db">): ForgetHours {
  return async (clanIds) => {
    if (clanIds.length === 0) return;
    const generation = new ObjectId().toHexString();
    const writes = clanIds.map((clanId) => {
      return { replaceOne: { filter: { _id: generationId(clanId) }, replacement: { generation }, upsert: true } };
    });
    await rewrite(() => activityIn(db()).bulkWrite(writes, { ordered: false }));
  };
}

function hourOf({ _id: { hour }, quarters }: ActivityDoc): CountedHour {
  const startMs = hour?.getTime() ?? 0;
  return { startMs, quarters: (quarters ?? []).map((doc) => cellOf(startMs, doc)) };
}

function cellOf(hourMs: number, { quarter, takenBack = [], ...sums }: QuarterDoc): Cell {
  return {
    ...sums,
    startMs: hourMs + quarter * QUARTER_MS,
    takenBack: takenBack.map(({ at, ...taken }) => ({ ...taken, startMs: at.getTime() })),
  };
}

function docOf(generation: string, { startMs, quarters }: CountedHour): Omit<ActivityDoc, "_id"> {
  const docs = quarters.map(({ startMs: ofQuarter, takenBack, ...sums }): QuarterDoc => {
    const taken = takenBack.map(({ startMs: ofAwards, ...own }) => ({ ...own, at: new Date(ofAwards) }));
    const quarter = (ofQuarter - startMs) / QUARTER_MS;
    return { ...sums, quarter, ...(taken.length === 0 ? {} : { takenBack: taken }) };
  });
  return { generation, at: new Date(startMs), ...(docs.length === 0 ? {} : { quarters: docs }) };
}
