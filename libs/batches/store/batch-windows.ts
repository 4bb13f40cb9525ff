// All batches in windows of their ids: no index contains the members of a batch, and one pass over all would take long.
import { BATCHES_PER_ERASURE } from "#mongo/bounds.ts";
import type { BatchDoc } from "#batches/store/batch-model.ts";
import type { Database } from "#mongo/database.ts";
import { read } from "#mongo/mongo-calls.ts";

/** Conditions of `_id`. Throws AppError `unavailable`. */
export async function* batchWindows({
  db,
}: Pick<Database, "db">): AsyncGenerator<{ $gt: string } | { $gt: string; $lte: string }> {
  async function lastOfWindow(after: string): Promise<string | null> {
    const [last] = await db()
      .collection<BatchDoc>("batches")
      .find({ _id: { $gt: after } }, { projection: { _id: 1 } })
      .sort({ _id: 1 })
      .skip(BATCHES_PER_ERASURE - 1)
      .limit(1)
      .toArray();
    return last?._id ?? null;
  }

  for (let after = ""; ;) {
    const last = await read(() => lastOfWindow(after));
    yield last === null ? { $gt: after } : { $gt: after, $lte: last };
    if (last === null) return;
    after = last;
  }
}
