// Retention: deletes the awards and outcomes of done batches by age; their counts stay.
import { APPLIED } from "#batches/store/query-parts.ts";
import type { BatchDoc } from "#batches/store/batch-model.ts";
import type { Database } from "#mongo/database.ts";
import { rewrite } from "#mongo/mongo-calls.ts";
import { oldestDone } from "#mongo/oldest-done.ts";
import type { BatchStore } from "#batches/ports.ts";

export function makeDeleteBatchDetails({ db }: Pick<Database, "db">): BatchStore["deleteDetails"] {
  const records = () => db().collection<BatchDoc>("batches");

  return (options) =>
    rewrite(async () => {
      const found = await oldestDone({ db }, "batches", "awards", options);
      if (found.length === 0) return 0;
      const among = { _id: { $in: found }, awards: { $exists: true } };
      // Counted once: a concurrent erasure may have written deleted lists again.
      await records().updateMany(among, [{ $set: { appliedOnce: APPLIED } }, { $unset: ["awards", "outcomes"] }]);
      return found.length;
    });
}
