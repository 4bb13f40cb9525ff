// Finds and counts the members of a clan by their newest award, as a majority has stored them.
import { ANSWER_MS_MAX, MEMBERS_EXAMINED_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { NO_FENCE } from "#mongo/filters.ts";
import { BY_LAST_AWARD, idleFilter, membersOfClan, type MemberDoc } from "#ledger/store/member-model.ts";
import { behind, idleRange } from "#members/store/leaderboard-range.ts";
import { MAJORITY } from "#mongo/mongo-calls.ts";
import type { ListPosition, MemberPosition } from "#members/ports.ts";

export function makeFindIdle({ db }: Pick<Database, "db">) {
  const documents = () => db().collection<MemberDoc>("members");

  return {
    /** Those whose newest award is the oldest first. */
    byLastAward(clanId: string, range: Parameters<typeof idleRange>[1], limit: number): Promise<MemberDoc[]> {
      return documents()
        .find({ ...membersOfClan(clanId), clanId, ...NO_FENCE }, { ...idleRange(clanId, range), ...MAJORITY })
        .sort(BY_LAST_AWARD)
        .limit(limit)
        .toArray();
    },

    /**
     * Those whose newest award is before `since`, or who have none, by platformId. `examined`: the last member that was
     * looked at, if there may be more behind it.
     */
    async byPlatformId(
      clanId: string,
      { after, since }: { after: ListPosition | null; since: Date },
      limit: number,
    ): Promise<{ docs: MemberDoc[]; examined: MemberPosition | null }> {
      const options = { hint: { _id: 1 }, sort: { _id: 1 }, ...MAJORITY } as const;
      const ids = membersOfClan(clanId, after ? behind(after).platformId : "");
      const projection = { _id: 1, platformId: 1 };
      const last = await documents().findOne(ids, { ...options, projection, skip: MEMBERS_EXAMINED_MAX - 1 });
      const range = last ? { _id: { ...ids._id, $lte: last._id } } : ids;
      const docs = await documents()
        .find({ ...range, ...NO_FENCE, ...idleFilter(since) }, { ...options, limit })
        .toArray();
      return { docs, examined: last && { xp: 0n, platformId: last.platformId } };
    },

    async count(clanId: string, since: Date, max: number): Promise<number> {
      const options = { ...MAJORITY, hint: BY_LAST_AWARD, limit: max, maxTimeMS: ANSWER_MS_MAX };
      // Each of the two is a range of the index; together they are not.
      const counts = [null, { $lt: since }].map((lastAwardAt) =>
        documents().countDocuments({ clanId, lastAwardAt }, options),
      );
      const [without = 0, before = 0] = await Promise.all(counts);
      return Math.min(without + before, max);
    },
  };
}
