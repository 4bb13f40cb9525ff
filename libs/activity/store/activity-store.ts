// The activity of a clan, read from the ledger by its index (clan, at). Awarding XP writes nothing for it.
import { ACTIVITY_MS_MAX, ANSWER_MS_MAX } from "#mongo/bounds.ts";
import { cellsOf } from "#activity/store/cells-of.ts";
import type { Database } from "#mongo/database.ts";
import { entryOfDoc, type EntryDoc } from "#ledger/store/entry-model.ts";
import { NO_FENCE } from "#mongo/filters.ts";
import { MAJORITY, read } from "#mongo/mongo-calls.ts";
import type { ActivityStore } from "#activity/ports.ts";

export function makeActivityStore({ db }: Pick<Database, "db">): ActivityStore {
  const entries = () => db().collection<EntryDoc>("ledger");
  return {
    minutes: (clanId, period) =>
      read(() => cellsOf(db(), { ...period, clanId, minutes: 1, maxTimeMS: ACTIVITY_MS_MAX })),

    newest(clanId, limit) {
      return read(async () => {
        const found = entries().find(
          { "_id.clanId": clanId, kind: { $nin: ["membership", "appointment"] }, ...NO_FENCE },
          { ...MAJORITY, maxTimeMS: ACTIVITY_MS_MAX },
        );
        return (await found.sort({ at: -1 }).limit(limit).toArray()).map(entryOfDoc);
      });
    },

    oldestAt: (clanId) =>
      read(async () => {
        const options = { ...MAJORITY, projection: { at: 1 }, sort: { at: 1 }, maxTimeMS: ANSWER_MS_MAX } as const;
        return (await entries().findOne({ "_id.clanId": clanId }, options))?.at ?? null;
      }),
  };
}
