// Notices that a backup of MongoDB was restored: a count that only rises has fallen below the one in Redis.
//
// Invariant: Redis is read before MongoDB. It has only counts that a majority had stored before, so a lower one in
// MongoDB means that the database went back. A restore stays unnoticed if Redis lost its data, too.
import type { ContinuityStore, NewestCount } from "#operations/ports.ts";
import type { Log } from "#kernel/log.ts";

/** Throws AppError `unavailable`, or an error of Redis. */
export type NoticeRestore = () => Promise<void>;

export function makeNoticeRestore(deps: {
  continuity: Pick<ContinuityStore, "count" | "raise">;
  newestCount: NewestCount;
  log: Log;
}): NoticeRestore {
  const { continuity, newestCount, log } = deps;
  return async function noticeRestore() {
    const newest = await newestCount.read();
    const isRestored = (await continuity.count()) < newest;
    if (isRestored) log.warn({}, "mongo.restored");
    await newestCount.write(await continuity.raise(newest, isRestored));
  };
}
