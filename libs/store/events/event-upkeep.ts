// Deletes the content of events: by age, and of members who are erased.
//
// Invariant: an erased event keeps its number and its id, so that positions of readers stay valid. What is deleted by
// age is the beginning of a chain, and never its newest event, whose number the next one continues.
import type { mongo } from "mongoose";
import { memberSubject } from "#domain/change-ref.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Database } from "#store/database.ts";
import { between, endmost, MAJORITY } from "#store/events/positions.ts";
import type { EventDoc } from "#store/events/event-model.ts";
import { makePeriodResults } from "#store/events/period-results.ts";
import { namingText } from "#store/filters.ts";
import type { EntryDoc } from "#store/ledger/entry-model.ts";
import { read, rewrite } from "#store/mongo-calls.ts";
import { ageOf, mongoTimeAgo } from "#store/mongo-time.ts";
import type { EventErasure, EventRetention } from "#usecases/events/ports.ts";

const CONTENT = { $unset: { type: "", subject: "", seq: "", data: "" } } as const;

export function makeEventUpkeep({ db }: Pick<Database, "db">): EventRetention & EventErasure {
  const events = (): mongo.Collection<EventDoc> => db().collection<EventDoc>("events");
  const results = makePeriodResults({ db });

  return {
    nextClan: (after, { olderThanMs }) =>
      read(async () => {
        const behind = after === null ? {} : { _id: { $gt: { clanId: after, n: Infinity } } };
        const [oldest, second] = await events()
          .find<Pick<EventDoc, "_id" | "type"> & { ageMs: bigint }>(behind, {
            sort: { _id: 1 },
            limit: 2,
            projection: { type: 1, ageMs: ageOf("at") },
          })
          .toArray();
        if (!oldest) return null;
        const { clanId } = oldest._id;
        const isEmpty = oldest.type === undefined && second?._id.clanId !== clanId;
        return { clanId, hasOld: !isEmpty && oldest.ageMs > olderThanMs };
      }),

    deleteOld: (clanId, { olderThanMs, limit }) =>
      rewrite(async () => {
        const [oldest, newest] = [await endmost(events(), clanId, 1), await endmost(events(), clanId, -1)];
        if (!oldest || !newest) return 0;
        const old = { at: { $lt: await mongoTimeAgo({ db }, olderThanMs) } };
        const firstN = oldest._id.n;
        // Times are only roughly in order: whatever is found, these events are looked at once, and then deleted.
        const step = between(clanId, firstN - 1, firstN - 1 + limit);
        const firstYoung = await events().findOne(
          { ...step, $nor: [old] },
          { sort: { _id: 1 }, projection: { _id: 1 } },
        );
        const keptN = Math.min(firstYoung?._id.n ?? firstN + limit, newest._id.n);
        if (keptN > firstN) await events().deleteMany(between(clanId, 0, keptN - 1));
        if (!firstYoung && keptN === newest._id.n) {
          const withContent = { _id: newest._id, type: { $exists: true }, ...old };
          await events().updateOne(withContent, { ...CONTENT, $set: { aged: true } });
        }
        return keptN - firstN;
      }),

    eraseUnnumbered: results.eraseUnnumbered,

    listWithoutEntry: (member) =>
      read(async () => {
        const [named, found, entries] = await Promise.all([
          results.listNaming(member),
          events()
            .find(ofMember(member), { ...MAJORITY, projection: { _id: 0, eventId: 1, seq: 1, at: 1 } })
            .toArray(),
          db()
            .collection<EntryDoc>("ledger")
            .find(
              { "_id.clanId": member.clanId, "_id.platformId": member.platformId },
              { ...MAJORITY, projection: { at: 1 } },
            )
            .toArray(),
        ]);
        // By the time too: a new entry may have the number of one that was deleted.
        const existing = new Set(entries.map(({ _id, at }) => `${_id.seq} ${at.getTime()}`));
        const lost = found.filter(({ seq, at }) => !existing.has(`${seq} ${at.getTime()}`));
        return [...lost.map(({ eventId }) => eventId), ...named];
      }),

    async deleteContent(member, eventIds) {
      await rewrite(() => events().updateMany({ ...ofMember(member), eventId: { $in: [...eventIds] } }, CONTENT));
      await results.eraseFrom(member, eventIds);
    },

    async deleteReasons({ clanId, platformId }) {
      await rewrite(() =>
        events().updateMany(
          { ...(clanId === null ? {} : { "_id.clanId": clanId }), "data.reason": namingText(platformId) },
          { $unset: { "data.reason": "" } },
        ),
      );
    },
  };
}

function ofMember({ clanId, platformId }: MemberRef) {
  return { "_id.clanId": clanId, subject: memberSubject(platformId) };
}
